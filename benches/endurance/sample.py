#!/usr/bin/env python3
"""Watches a run: memory, descriptors, threads and processor time of its processes, its files, its games.

    sample.py --folder results/endurance --process run=PID --output samples.csv

A row every --every seconds, until the first process has ended. Linux only: it reads /proc and the run's checkpoint.
"""

import argparse
import csv
import json
import os
import time

FILES = ["checkpoint", "log.jsonl", "generations.csv", "validation.csv", "timing.csv"]
TICKS = os.sysconf("SC_CLK_TCK")


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def process(pid):
    """Resident memory in KiB, descriptors, threads, seconds of processor time; nothing of one that has ended."""
    try:
        with open(f"/proc/{pid}/status") as status:
            of = dict(line.split(":", 1) for line in status)
        with open(f"/proc/{pid}/stat") as stat:
            times = stat.read().rsplit(")", 1)[1].split()[11:13]
        return [of["VmRSS"].split()[0], len(os.listdir(f"/proc/{pid}/fd")), of["Threads"].strip(),
                f"{sum(map(int, times)) / TICKS:.1f}"]
    except (OSError, KeyError):
        return [""] * 4


def size(path):
    try:
        return os.stat(path).st_size
    except OSError:
        return ""


def files(folder):
    """Sizes of the files that grow or are replaced, number and size of all others."""
    others = []
    for root, _, names in os.walk(folder):
        others += [size(os.path.join(root, name)) or 0 for name in names if root != folder or name not in FILES]
    return [size(os.path.join(folder, name)) for name in FILES] + [len(others), sum(others)]


def games(folder):
    """Games played, by the last checkpoint."""
    try:
        with open(os.path.join(folder, "checkpoint")) as checkpoint:
            return sum(json.loads(checkpoint.read().split("\n", 1)[1])["state"]["counters"]["trials"].values())
    except (OSError, ValueError, LookupError):
        return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--process", action="append", required=True, metavar="NAME=PID")
    parser.add_argument("--output", required=True)
    parser.add_argument("--every", type=float, default=60.0, metavar="SECONDS")
    args = parser.parse_args()
    processes = [named.split("=", 1) for named in args.process]
    quantities = ["rss_kib", "descriptors", "threads", "cpu_seconds"]
    with open(args.output, "w", newline="") as output:
        table = csv.writer(output, lineterminator="\n")
        table.writerow(["seconds", "games", *(f"{name}.{quantity}" for name, _ in processes for quantity in quantities),
                        *(f"{name}.bytes" for name in FILES), "other_files", "other_files.bytes"])
        start = time.monotonic()
        for number in range(1, 1 << 30):
            time.sleep(max(0.0, start + number * args.every - time.monotonic()))
            if not is_alive(processes[0][1]):
                return
            row = [f"{time.monotonic() - start:.0f}", games(args.folder)]
            for _, pid in processes:
                row += process(pid)
            table.writerow(row + files(args.folder))
            output.flush()


if __name__ == "__main__":
    main()
