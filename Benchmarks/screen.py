"""Measures the screen of a realistic application against Node's JSON.parse; `make bench` runs it.

usage: screen.py BINARY [TURNS]

Processes of the benchmark and of Node alternate, so that both see the same noise. Times are CPU
time of the process, of all threads; Node parses the same bytes, which includes decoding UTF-8.
Writes the table of Docs/Reference/Performance.md between its marks, and prints machine-readable lines:

    RESULT name=… items=… median_us=… min_us=… x_json_parse=…
"""

import shutil
import statistics
import subprocess
import sys
import tempfile

import screen_payloads
import store

SIZES = (50, 1_000)
# The title of each case in the table, and its upper bounds at 50 and at 1,000 items, as multiples
# of JSON.parse.
CASES = {
    "commit_selected": ("bytes to published, members in the order of the query", (1.21, 1.61)),
    "commit_sorted": ("the same, members sorted by name", (1.5, 1.59)),
    "commit_shuffled": ("the same, members in random order", (2.16, 1.5)),
    "commit_pretty": ("the same, indented", (1.36, 1.41)),
    "read": ("read every fragment and every scalar, nothing observed", (1.14, 1.98)),
    "mount": ("mount: read and observe every fragment, with a closure each", (1.44, 3.17)),
    "mount_models": ("mount with a `FragmentModel` each", (2.7, 5.94)),
    "refresh": ("refresh while mounted; three items have changed", (1.39, 1.46)),
    "unmount": ("unmount everything", (0.153, 0.268)),
    "collect_all": ("collect garbage with nothing retained", (0.05, 0.05)),
    "collect_but_ten": ("collect garbage with a feed of ten items retained", (0.148, 0.0501)),
    "cycle": ("commit, mount, unmount, collect", (2.62, 4.53)),
    "like": ("like an article: optimistic, then the response", None),
    "reply": ("add a reply", None),
    "first_commit": ("the first commit of a process", (2, None)),
    "first_mount": ("the first mount after it", (2.5, None)),
}
NODE = """
const bytes = require("fs").readFileSync(process.argv[1]);
for (let turn = 0; turn < +process.argv[2] + 2; turn++) {
  const start = process.cpuUsage();
  JSON.parse(bytes.toString("utf8"));
  const used = process.cpuUsage(start);
  if (turn > 1) console.log("SAMPLE name=json_parse ns=" + (used.user + used.system) * 1000);
}
"""


def measure(binary, count, turns, node, folder):
    """Measures one size; returns its milliseconds by name, and the values of the memory measurement."""
    times = {}
    for _ in range(turns):
        commands = [[binary, "times", folder, str(count), "3"], [binary, "first", folder, str(count)]]
        if node:
            commands.append([node, "-e", NODE, f"{folder}/selected-{count}.json", "10"])
        for command in commands:
            for name, values in store.samples(command)[0].items():
                times.setdefault(name, []).extend(values)
    return times, store.samples([binary, "memory", folder, str(count)])[1]


def report(count, times, memory, size):
    """Prints the results of one size, and returns its cells of the table by name, and its description."""
    parse = times.get("json_parse")
    cells = {}
    for name, (_, bounds) in CASES.items():
        least, median = min(times[name]) * 1e3, statistics.median(times[name]) * 1e3
        factor = f"{least / min(parse) / 1e3:.3g}" if parse else ""
        print(f"RESULT name={name} items={count} median_us={median:.1f} min_us={least:.1f} x_json_parse={factor}", flush=True)
        bound = bounds[SIZES.index(count)] if bounds else None
        cells[name] = f"{least:,.0f} | {factor} | {bound or ''} |"
    if parse:
        cells["json_parse"] = f"{min(parse) * 1e3:,.0f} | 1 | |"
    bytes_, escaped = size
    counts = {key: int(memory[key]) for key in ("bytes_per_item", "fragments", "scalars", "checksum")}
    print(f"RESULT name=screen items={count} bytes={bytes_} escaped={escaped:.3f} "
          + " ".join(f"{key}={value}" for key, value in counts.items()), flush=True)
    cells["memory"] = f"{counts['bytes_per_item']:,} | | 12,000 |"
    return cells, (f"{count:,} items have {counts['fragments']:,} fragments and {bytes_:,} bytes, {escaped:.1%} of them in "
                   "escapes.")


def write_page(sizes, turns):
    titles = {name: title for name, (title, _) in CASES.items()}
    titles |= {"json_parse": "Node's JSON.parse of the bytes", "memory": "memory mounted, bytes an item"}
    rows = [f"| {title} | " + " ".join(cells[name] for cells, _ in sizes) for name, title in titles.items() if name in sizes[0][0]]
    header = "".join(f" {count:,} items, µs | × JSON.parse | at most |" for count in SIZES)
    table = "\n".join([f"| what |{header}", "|---" * (1 + 3 * len(SIZES)) + "|", *rows])
    descriptions = "\n".join(description for _, description in sizes)
    section = f"""<!-- screen -->
## A screen

A news feed with a fragment for each view: a union of articles, pictures and quotes, an interface of 200 authors,
replies, enums, lists, nulls and long strings. Minimum CPU time of all threads in {turns} turns of the benchmark and of Node
on the same bytes.
{descriptions}

{table}
<!-- /screen -->
"""
    store.replace_section("screen", section)


def main():
    binary, turns = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    node = shutil.which("node")
    if not node:
        print("There is no Node here: times are not compared with JSON.parse.")
    with tempfile.TemporaryDirectory() as folder:
        sizes = screen_payloads.write(folder)
        reports = [report(count, *measure(binary, count, turns, node, folder), sizes[count]) for count in SIZES]
    write_page(reports, turns)


if __name__ == "__main__":
    main()
