#!/usr/bin/env python3
"""The table of docs/endurance.md from what sample.py wrote: `table.py samples.csv`."""

import csv
import sys

with open(sys.argv[1]) as file:
    rows = list(csv.DictReader(file))
names = [column.rsplit(".", 1)[0] for column in rows[0] if column.endswith(".rss_kib")]
cpu = lambda row: sum(float(row[f"{name}.cpu_seconds"] or 0) for name in names if name != "server")
picked = {"first minute": 0, "quarter": len(rows) // 4, "half": len(rows) // 2, "last": len(rows) - 1}

print("| | " + " | ".join(f"{label}, {float(rows[at]['seconds']) / 60:.0f} min" for label, at in picked.items()) + " |")
print("|---|" + "--:|" * len(picked))


def line(title, value):
    print(f"| {title} | " + " | ".join(value(at) for at in picked.values()) + " |")


for name in names:
    line(f"{name}: memory, MiB", lambda at: f"{int(rows[at][f'{name}.rss_kib']) / 1024:.1f}")
    line(f"{name}: descriptors", lambda at: rows[at][f"{name}.descriptors"])
    line(f"{name}: threads", lambda at: rows[at][f"{name}.threads"])


def rate(at):
    """Games a second of processor time over the ten samples up to this one, or after the first."""
    low, high = max(0, at - 10), max(at, min(10, len(rows) - 1))
    games, time = int(rows[high]["games"]) - int(rows[low]["games"]), cpu(rows[high]) - cpu(rows[low])
    # Where next to nothing was played there is no speed.
    return f"{games / time:.0f}" if games and time > 1 else ""


line("games", lambda at: rows[at]["games"])
line("games a second of processor time", rate)
for column in rows[0]:
    if column.endswith(".bytes"):
        line(column.removesuffix(".bytes") + ", KiB", lambda at: f"{int(rows[at][column] or 0) / 1024:.1f}")
