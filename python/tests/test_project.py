"""What packages say of the project is the same everywhere, and the page on PyPI is true."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def toml(path):
    tomllib = pytest.importorskip("tomllib")
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))


def test_one_address_and_one_licence():
    package = toml("Cargo.toml")["workspace"]["package"]
    project = toml("python/pyproject.toml")["project"]
    assert project["urls"] == {name.title(): package[name] for name in ("repository", "homepage", "documentation")}
    assert project["license"] == package["license"] and project["keywords"] == package["keywords"]
    pages = ["CITATION.cff", "SECURITY.md", ".github/ISSUE_TEMPLATE/config.yml", *ROOT.glob("docs/*.toml")]
    for page in pages:
        text = (ROOT / page).read_text(encoding="utf-8")
        for address in re.findall(r"https://[\w./-]*evolve-tuner[\w./-]*", text):
            assert address.startswith((package["repository"], package["documentation"])), (page, address)


def test_every_package_has_the_addresses():
    members = toml("Cargo.toml")["workspace"]["members"]
    packages = [toml(f"{member}/Cargo.toml")["package"] for member in members]
    published = [package for package in packages if package.get("publish", True)]
    assert len(published) >= 11
    for package in published:
        for key in ("repository", "homepage", "keywords", "categories", "license", "rust-version"):
            assert package.get(key) == {"workspace": True}, (package["name"], key)


def test_the_example_on_pypi(tmp_path):
    page = (ROOT / "python/README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "example.py").write_text(example)
    done = subprocess.run([sys.executable, "example.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "'temp'" in done.stdout, done.stderr
    assert "not published" not in page and "not on PyPI" not in page
