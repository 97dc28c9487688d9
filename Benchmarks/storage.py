"""Measures the storage of a store and its outbox; `make bench` runs it.

usage: storage.py BINARY [TURNS]

Each turn is a process of each case. The files are in a folder beside the binary, so on a disk. Writes
the table of Docs/Reference/Performance.md between its marks, and prints machine-readable lines:

    RESULT name=… least=… median=… largest=… bound=… within=…
"""

import glob
import os
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile

import store

# The records of the list: 100,000 items, their 100 authors and the root.
RECORDS = 100_101
# The batches of one process that changes records at random, enough for compactions of the log.
BATCHES = 120


def run(binary, case, folder, *arguments):
    """Runs a case; returns its milliseconds and its bytes, by name."""
    command = [binary, case, folder, *map(str, arguments)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    times, sizes = {}, {}
    for name, ns in re.findall(r"SAMPLE name=(\w+) ns=(\d+)", output):
        times.setdefault(name, []).append(int(ns) / 1e6)
    for name, count in re.findall(r"BYTES name=(\w+) bytes=(\d+)", output):
        sizes.setdefault(name, []).append(int(count))
    return times, sizes


def measure(binary, turns, folder):
    """Returns the samples of all cases by name: milliseconds, ratios and megabytes."""
    samples = {}

    def add(times):
        for name, values in times.items():
            samples.setdefault(name, []).extend(values)

    for _ in range(turns):
        run(binary, "fill", folder)
        for _ in range(3):
            add(run(binary, "load", folder)[0])
        add(run(binary, "write", folder, 3)[0])
        add(run(binary, "publish", folder, 20)[0])
        add(run(binary, "outbox", folder, 60)[0])
        times, sizes = run(binary, "scattered", folder, BATCHES)
        add(times)
        add({"scattered_mb": [size / 1e6 for size in sizes["scattered"]]})
        check_compaction(folder)
    pairs = list(zip(samples["publish_stored"], samples["publish_plain"]))
    samples["publish"] = [stored / plain for stored, plain in pairs]
    samples["rate"] = [RECORDS / ms * 1e3 for ms in samples["write"]]
    samples["record_cpu"] = [ms / RECORDS * 1e3 for ms in samples["write_cpu"]]
    pairs = list(zip(samples["outbox"], samples["sync"]))
    samples["outbox_more"] = [entry - sync for entry, sync in pairs]
    return samples


def check_compaction(folder):
    """Ends the program if the log of the list was never compacted."""
    [path] = glob.glob(f"{folder}/list/*/cache.sqlite")
    connection = sqlite3.connect(path)
    [[count]] = connection.execute("SELECT count(*) FROM log")
    connection.close()
    if count >= BATCHES:
        sys.exit(f"The log has {count} rows after {BATCHES} batches: it was not compacted.")


# For each case its title, its unit, which of the values the bound applies to, and the bound.
CASES = {
    "rate": ("write 100,000 new records behind the app", "records a second", "median", (400_000, None)),
    "record_cpu": ("the CPU time of all threads for each of them", "µs", "median", (None, 1)),
    "publish": ("publish 10,000 changed items, times the same without a storage", "", "median", (None, 1.05)),
    "load": ("load 100,000 records, until they are found by their ids", "ms", "median", (None, 40)),
    "load_cpu": ("the CPU time of that, of all threads", "ms", "median", (None, None)),
    "first_fragment": ("read the first fragment after that", "ms", "median", (None, 15)),
    "decode": ("decode all records", "ms", "median", (None, 150)),
    "scattered": ("store 1,000 changed records among 100,000", "ms", "median", (None, None)),
    "scattered_mb": (f"the bytes written for that in one batch, {BATCHES} in a row, with compactions and checkpoints", "MB", "largest", (None, 2)),
    "sync": ("write 4 KiB to a file, and `fdatasync`", "ms", "median", (None, None)),
    "outbox": ("commit to the outbox, until the call returns", "ms", "median", (None, None)),
    "outbox_more": ("that, less the `fdatasync` before it", "ms", "median", (None, 0.2)),
}


def report(samples):
    """Prints the results, and returns the rows of the table."""
    rows = []
    for name, (title, unit, which, (least_bound, bound)) in CASES.items():
        values = {
            "least": min(samples[name]), "median": statistics.median(samples[name]), "largest": max(samples[name])}
        is_within, text = "", ""
        if least_bound or bound:
            is_within = "within" if (values[which] >= least_bound if least_bound else values[which] <= bound) else "**over**"
            text = f"{which}: at least {least_bound:,}" if least_bound else f"{which}: at most {bound:g}"
            text += "" if is_within == "within" else " " + is_within
        print(f"RESULT name={name} " + " ".join(f"{key}={value:.4f}" for key, value in values.items())
              + f" bound={least_bound or bound or ''} within={is_within}", flush=True)
        shown = " | ".join(f"{value:,.0f}" if value >= 1_000 else f"{value:.3g}" if abs(value) >= 0.001 else "0" for value in values.values())
        rows.append(f"| {title}{', ' + unit if unit else ''} | {shown} | {text} |")
    return rows


def write_page(rows, turns):
    table = "\n".join(["| what | least | median | largest | bound |", "|---|---|---|---|---|", *rows])
    section = f"""<!-- storage -->
## Durable storage

A store with SQLite, and an outbox, {turns} turns of a process for each case. Times are wall time; publishing and decoding are
CPU time of the thread. Publishing alternates with a store without a storage, the outbox with the `fdatasync`.

{table}
<!-- /storage -->
"""
    store.replace_section("storage", section)


def main():
    binary, turns = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(binary))) as folder:
        samples = measure(binary, turns, folder)
    write_page(report(samples), turns)


if __name__ == "__main__":
    main()
