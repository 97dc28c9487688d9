"""Measures local queries: what one changed record costs a query over 10,000 rows; `make bench` runs it.

usage: local.py BINARY [ROUNDS]

The cases alternate in one process. Writes the table of Docs/Reference/Performance.md between its marks, and prints
machine-readable lines:

    RESULT name=… least_us=… median_us=… bound_us=… within=…
"""

import re
import statistics
import subprocess
import sys

import store

# The most that one change may cost a query, in microseconds.
BOUND = 100
CHANGES = {
    "sort_key": "the key that the rows are sorted by",
    "other_field": "another field",
    "insert": "a new record",
    "delete": "a deleted record",
}
CONSUMERS = {
    "stream": "a stream, with the difference",
    "model": "a model",
    "sections": "a model in sections, with the difference",
}


def measure(binary, rounds):
    """Returns the samples in microseconds, by name."""
    output = subprocess.run([binary, rounds], check=True, capture_output=True, text=True).stdout
    samples = {}
    for name, ns in re.findall(r"SAMPLE name=(\w+) ns=(\d+)", output):
        samples.setdefault(name, []).append(int(ns) / 1e3)
    return samples


def report(samples):
    """Prints the results, and returns the rows of the table."""
    rows = []
    for change, title in CHANGES.items():
        plain = samples[f"local_{change}_plain"]
        cells = [f"{statistics.median(plain):.0f}"]
        for consumer in CONSUMERS:
            values = samples[f"local_{change}_{consumer}"]
            least = min(values) - min(plain)
            median = statistics.median(values) - statistics.median(plain)
            is_within = "within" if median <= BOUND else "**over**"
            print(f"RESULT name=local_{change}_{consumer} least_us={least:.1f} median_us={median:.1f} "
                  f"bound_us={BOUND} within={is_within}", flush=True)
            cells.append(f"{median:.0f}" + (f" {is_within}" if median > BOUND else ""))
        rows.append(f"| {title} | " + " | ".join(cells) + " |")
    return rows


def main():
    binary, rounds = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "5"
    samples = measure(binary, rounds)
    header = "".join(f" {title} |" for title in CONSUMERS.values())
    table = "\n".join(
        [f"| what changes | commit |{header}", "|---" * (2 + len(CONSUMERS)) + "|", *report(samples)])
    milliseconds = {
        name: statistics.median(samples[name]) / 1e3 for name in ["local_read", "local_10000_changes_model"]}
    store.replace_section("local", f"""<!-- local -->
## Local queries

A query over 10,000 records, filtered and sorted by two keys. One record changes in each commit: the median CPU time of
the commit without a query, and the time that each consumer adds to it, in microseconds; at most {BOUND}. Reading the query
once takes {milliseconds["local_read"]:.0f} ms, and a model applies 10,000 changes of one commit in {milliseconds["local_10000_changes_model"]:.0f} ms.

{table}
<!-- /local -->
""")


if __name__ == "__main__":
    main()
