"""Measures what a timeline costs: the store's cases without one, with one, and with another program.

usage: timeline.py BINARY [TURNS] [BASE]

BINARY is store-benchmark, BASE that of another version of the package. Processes alternate, so that all see the
same noise; times are CPU time of the thread. With valgrind, the instructions of the main cases are counted, without
those of the runtime's look-ups of conformances, which each process makes once. Prints a table for
Docs/Reference/Performance.md.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from store import CASES, COUNTED, samples

COUNT = 10_000
LOOKUPS = re.compile(
    r"^\s*([\d,]+) \([^)]*\)\s+\S*:.*(?:conformsToProtocol|ConformanceCandidate|equalContexts|class_getSuperclass|"
    r"getTypeContextDescriptor|ConcurrentReadable|onformance)", re.M)


def instructions(binary, case, name, options, folder):
    """Returns the instructions of one case."""
    stripped = os.path.join(folder, "stripped")
    subprocess.run(["strip", "--strip-debug", "-o", stripped, binary], check=True)
    output = os.path.join(folder, "callgrind")
    result = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={output}", "--collect-atstart=no",
         "--toggle-collect=*callgrindRegion*", stripped, "only", str(COUNT), case, name, *options],
        check=True, capture_output=True, text=True).stderr
    functions = subprocess.run(["callgrind_annotate", "--threshold=100", output], capture_output=True, text=True).stdout
    return int(re.search(r"Collected : (\d+)", result)[1]) - sum(int(count.replace(",", "")) for count in LOOKUPS.findall(functions))


def main():
    binary, turns = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    programs = {"off": (binary, []), "on": (binary, ["--timeline"])}
    if len(sys.argv) > 3:
        programs["base"] = (sys.argv[3], [])
    times = {name: {} for name in programs}
    for _ in range(turns):
        for name, (program, options) in programs.items():
            for case, values in samples([program, "times", str(COUNT), "3", *options])[0].items():
                times[name].setdefault(case, []).extend(values)
    counts = {}
    if shutil.which("valgrind"):
        with tempfile.TemporaryDirectory() as folder:
            for case, group in COUNTED.items():
                counts[case] = {name: instructions(program, group, case, options, folder) for name, (program, options) in programs.items()}
    reference = "base" if "base" in programs else "off"
    print("| case | off, minimum, ms | median | on, minimum | median | instructions, off | on |")
    print("|---|---|---|---|---|---|---|")
    for case, (title, _) in CASES.items():
        if case not in times["off"]:
            continue
        row = [f"{function(times[name][case]):.3f}" for name in ("off", "on") for function in (min, statistics.median)]
        for name in ("off", "on"):
            row.append(f"{counts[case][name] / counts[case][reference]:.3f}" if case in counts else "")
        print(f"| {title} | {' | '.join(row)} |")


if __name__ == "__main__":
    main()
