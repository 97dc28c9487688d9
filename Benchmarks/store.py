"""Measures the store against Node's JSON.parse on the same bytes; `make bench` runs it.

usage: store.py BINARY [TURNS]

Processes of the benchmark and of Node alternate, so that both see the same noise. Times are CPU
time of the thread, in Node of the process. Writes the table of Docs/Reference/Performance.md between its
marks, and prints machine-readable lines; those with instruction counts are for the main cases, as
counted by callgrind:

    RESULT name=… n=… median_ms=… min_ms=… x_json_parse=…
    RESULT name=… n=… instructions=…
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import textwrap

PAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Docs", "Reference", "Performance.md")
SIZES = (1_000, 10_000, 100_000)
# The title of each case in the table, and its limit at n = 10,000 items, as a
# multiple of JSON.parse.
CASES = {
    "commit_cold": ("commit a payload to an empty store", 0.6),
    "commit_same": ("commit the same payload again", 1.0),
    "read_query": ("read a query, and every scalar of its rows", 0.3),
    "scalars": ("read every scalar of the same rows again", None),
    "list_observer_one_change": ("change one item, with an observer of the list", 0.10),
    "observe_10000": ("add an observer for each item", None),
    "one_of_10000_observers": ("change one item, with these observers", 0.004),
    "optimistic_apply_revert": ("apply and revert an optimistic update, with these observers", 0.008),
    "unobserve_10000": ("cancel these observers", None),
    "gc_half": ("collect half of the records as garbage", 0.15),
    "gc_longest_slice": ("the longest slice of that collection, 1,000 records", None),
    "commit_at_100_arguments": ("commit one more argument set of a root field that has 100", None),
    "commit_at_40000_arguments": ("the same with 40,000 argument sets: at most 1.5 times that", None),
    "append_page_2": ("append page 2 of an observed list of 100 pages", None),
    "append_page_10": ("append page 10 of that list", None),
    "append_page_100": ("append page 100 of that list", None),
    "fetch_overhead": ("fetch a record of ten fields, without the transport (at most 20 µs)", None),
    "commit_overhead": ("commit a mutation of that record, without the transport (at most 20 µs)", None),
    "fetch_overhead_suspended": ("the same fetch with a transport that suspends, without the transport", None),
    "commit_overhead_suspended": ("the same commit with a transport that suspends, without the transport", None),
    "commit_first_call": ("commit a payload, the first call of a process", 1.3),
}
# The cases whose instructions are counted, and the benchmark case that each is a sample of.
COUNTED = {
    "commit_cold": "commit",
    "commit_same": "commit",
    "read_query": "read",
    "list_observer_one_change": "list",
    "one_of_10000_observers": "rows",
    "optimistic_apply_revert": "rows",
    "gc_half": "gc",
}
NODE = """
const text = require("fs").readFileSync(process.argv[1], "utf8");
for (let turn = 0; turn < +process.argv[2] + 1; turn++) {
  const start = process.cpuUsage();
  JSON.parse(text);
  const used = process.cpuUsage(start);
  if (turn > 0) console.log("SAMPLE name=json_parse ns=" + (used.user + used.system) * 1000);
}
"""


def samples(command):
    """Returns the milliseconds of the samples that a command prints, by name, and its other values.
    """
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    times = {}
    for name, ns in re.findall(r"SAMPLE name=(\w+) ns=(\d+)", output):
        times.setdefault(name, []).append(int(ns) / 1e6)
    return times, dict(re.findall(r"(\w+)=(\d+)", output))


def measure(binary, count, turns, node, folder):
    """Measures one size; returns its samples by name, and the values of the memory measurement."""
    path = os.path.join(folder, f"{count}.json")
    subprocess.run([binary, "write", str(count), path], check=True)
    all_times = {}
    for _ in range(turns):
        commands = [[binary, "times", str(count), "3"], [binary, "first", str(count)]]
        if node:
            commands.append([node, "-e", NODE, path, "10"])
        for command in commands:
            for name, values in samples(command)[0].items():
                all_times.setdefault(name, []).extend(values)
    return all_times, samples([binary, "memory", str(count)])[1]


def report(count, times, memory):
    """Prints the results of one size, and returns its minimum times, factors and percentages by name."""
    parse = times.get("json_parse")
    values = {}
    for name in CASES:
        minimum, median = min(times[name]), statistics.median(times[name])
        factor = f"{minimum / min(parse):.4f}" if parse else ""
        print(f"RESULT name={name} n={count} median_ms={median:.4f} min_ms={minimum:.4f} x_json_parse={factor}", flush=True)
        values[name] = (f"{minimum:.3f}", factor)
    if parse:
        print(f"RESULT name=json_parse n={count} median_ms={statistics.median(parse):.4f} min_ms={min(parse):.4f} x_json_parse=1")
        values["json_parse"] = (f"{min(parse):.3f}", "1")
    row, linked, unlinked = (memory[key] for key in ("bytes_per_row", "freed_percent", "freed_unlinked_percent"))
    print(f"RESULT name=memory n={count} bytes_per_row={row} freed_percent={linked} freed_unlinked_percent={unlinked}")
    values["memory"] = (row, "")
    values["freed"] = (f"{linked}, {unlinked}", "")
    return values


def instructions(binary, count):
    """Returns the instruction counts of the main cases by callgrind; empty without valgrind."""
    if not shutil.which("valgrind"):
        print("There is no valgrind here: instructions are not counted.")
        return {}
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        # Valgrind cannot read the debug information of recent Swift compilers.
        stripped = os.path.join(folder, "store-benchmark")
        subprocess.run(["strip", "--strip-debug", "-o", stripped, binary], check=True)
        for name, case in COUNTED.items():
            command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--collect-atstart=no",
                       "--toggle-collect=*callgrindRegion*", stripped, "only", str(count), case, name]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stderr
            counts[name] = int(re.search(r"Collected : (\d+)", output)[1])
            print(f"RESULT name={name} n={count} instructions={counts[name]}", flush=True)
    return counts


def table_rows(sizes):
    """Returns the rows of the table from the values of each size; the factor is that of 10,000 items."""
    titles = {name: (title, f"{bound:g}" if bound else "") for name, (title, bound) in CASES.items()}
    titles["json_parse"] = ("Node's JSON.parse", "")
    titles["memory"] = ("memory, bytes per row", "")
    titles["freed"] = ("memory freed by collecting half of the rows, with and without a list that links to them, %", "")
    rows = []
    for name, (title, limit) in titles.items():
        if name in sizes[0]:
            times = " | ".join(values[name][0] for values in sizes)
            rows.append(f"| {title} | {times} | {sizes[SIZES.index(10_000)][name][1]} | {limit} |")
    return rows


def write_page(rows, turns, counts):
    counted = "; ".join(f"{CASES[name][0]} {count / 1e6:.1f}" for name, count in counts.items())
    counted = f"Millions of instructions at 10,000 items, counted by callgrind (cases of microseconds 50 times): {counted}."
    counted = "\n" + textwrap.fill(counted, 120) + "\n" if counts else ""
    table = "\n".join(
        ["| case | 1,000 items, ms | 10,000 | 100,000 | × JSON.parse | limit |", "|---|---|---|---|---|---|", *rows])
    section = f"""<!-- store -->
## The store

A list of objects `{{id __typename name score done author{{id __typename name}}}}` with 100 authors, in {turns} alternating
runs of the store and of Node on the same bytes. Minimum CPU time of the thread; the factor and its limit are for 10,000
items.

{table}
{counted}<!-- /store -->
"""
    replace_section("store", section)


def replace_section(name, section):
    """Replaces the section of the page between the marks `name`, or appends it."""
    page = open(PAGE, encoding="utf-8").read()
    marked = re.compile(rf"<!-- {name} -->.*<!-- /{name} -->\n", re.S)
    page = marked.sub(lambda _: section, page) if marked.search(page) else page.rstrip() + "\n\n" + section
    with open(PAGE, "w", encoding="utf-8") as output:
        output.write(page)


def main():
    binary, turns = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    node = shutil.which("node")
    if not node:
        print("There is no Node here: times are not compared with JSON.parse.")
    with tempfile.TemporaryDirectory() as folder:
        sizes = [report(count, *measure(binary, count, turns, node, folder)) for count in SIZES]
    write_page(table_rows(sizes), turns, instructions(binary, 10_000))


if __name__ == "__main__":
    main()
