"""Measures how long the Swift compiler takes for a generated enum of 1,000 values.

usage: large_enum.py BIN-PATH

BIN-PATH is the folder of a build that has relay-compiler and RelayStore, as `swift build
--show-bin-path` prints it. `make bench-build` runs this script. Prints a line such as
`RESULT name=large-enum/-O cpu_s=3.4 baseline_s=5.5 ratio=0.62` for each optimization mode. The
baseline is a file with the same values as `enum Big: String`. Times are CPU times, the least of
three.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VALUES = [f"VALUE_NUMBER_{n}_{'ABCDEFGHIJ'[n % 10] * 3}" for n in range(1_000)]
RUNS = 3


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def generated(bin_path, folder):
    """Returns the path of the generated file with the enum."""
    with open(os.path.join(folder, "schema.graphql"), "w") as file:
        file.write("enum Big { " + " ".join(VALUES) + " }\ntype Query { big: Big }\n")
    with open(os.path.join(folder, "Big.graphql"), "w") as file:
        file.write("query BigQuery { big }\n")
    with open(os.path.join(folder, "relay.config.json"), "w") as file:
        json.dump({"schema": "schema.graphql", "artifactDirectory": "out"}, file)
    compiler = os.path.join(bin_path, "relay-compiler")
    subprocess.run([compiler, "compile"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return os.path.join(folder, "out", "Schema.graphql.swift")


def baseline(folder):
    """Returns the path of a file with the same values as an enum of raw strings."""
    def case(value):
        words = value.lower().split("_")
        return words[0] + "".join(word.capitalize() for word in words[1:])
    path = os.path.join(folder, "Baseline.swift")
    with open(path, "w") as file:
        file.write("public enum Big: String, CaseIterable, Sendable {\n")
        for value in VALUES:
            file.write(f'  case {case(value)} = "{value}"\n')
        file.write("}\n")
    return path


def seconds(path, mode, modules):
    """Returns the least CPU time of compiling a file."""
    times = []
    for _ in range(RUNS):
        before = cpu_seconds()
        subprocess.run(
            ["swiftc", "-c", "-parse-as-library", "-swift-version", "6", mode, "-I", modules,
             "-I", os.path.join(ROOT, "Sources", "CLibCurl", "include"), "-module-name", "Large",
             path, "-o", path + ".o"], check=True)
        times.append(cpu_seconds() - before)
    return min(times)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    bin_path = os.path.abspath(sys.argv[1])
    modules = os.path.join(bin_path, "Modules")
    with tempfile.TemporaryDirectory() as folder:
        enum, plain = generated(bin_path, folder), baseline(folder)
        print("| enum of 1,000 values | generated, s | `enum Big: String`, s | ratio |\n|---|---|---|---|")
        for mode in ["-Onone", "-O"]:
            ours, theirs = seconds(enum, mode, modules), seconds(plain, mode, modules)
            print(f"| {mode} | {ours:.1f} | {theirs:.1f} | {ours / theirs:.2f} |")
            print(f"RESULT name=large-enum/{mode} cpu_s={ours:.2f} baseline_s={theirs:.2f} "
                  f"ratio={ours / theirs:.2f}", flush=True)


if __name__ == "__main__":
    main()
