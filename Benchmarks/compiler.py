"""Measures relay-compiler on a corpus of 1,600 documents, and on one edit in a small project.

usage: compiler.py RELEASE_BINARY SCHEMA [RUNS [DEBUG_BINARY]]

`make bench` runs it. Prints a table and lines such as `RESULT name=compile/1600 median_ms=…`, and
writes its section of Docs/Reference/Performance.md. Times are CPU time of the whole process, file input and
output included.
"""

import os
import shutil
import statistics
import sys
import tempfile

from corpus import Corpus

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BEGIN, END = "<!-- compiler: begin -->", "<!-- compiler: end -->"
REFERENCE = """
import glob, sys
from graphql import build_schema, parse, specified_rules, validate
from graphql.validation import NoUnusedFragmentsRule
schema = build_schema(open(sys.argv[1], encoding="utf-8").read(), assume_valid=True)
document = parse("".join(open(path, encoding="utf-8").read() for path in sorted(glob.glob(sys.argv[2] + "/*.graphql"))))
rules = [rule for rule in specified_rules if rule is not NoUnusedFragmentsRule]
sys.exit(1 if validate(schema, document, rules) else 0)
"""


def run(command, expected=0):
    """Returns the CPU milliseconds and the peak memory in MB of a process.

    Exits the script if the process ends with another status than the expected one.
    """
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        if expected:
            os.dup2(null, 2)
        os.execv(command[0], command)
    _, status, usage = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status) != expected:
        sys.exit(f"{' '.join(command[:4])} … ended with status {status}")
    return (usage.ru_utime + usage.ru_stime) * 1e3, usage.ru_maxrss / 1024


class Table:
    def __init__(self, runs):
        self.runs = runs
        self.medians = {}
        self.lines = ["| case | minimum, ms | median, ms | memory, MB |", "|---|---|---|---|"]
        print("\n".join(self.lines))

    def add(self, name, title, command, runs=None, before=None, expected=0):
        times, memory = [], 0
        for _ in range(runs or self.runs):
            if before:
                before()
            time, size = run(command, expected)
            times.append(time)
            memory = max(memory, size)
        self.medians[name] = statistics.median(times)
        row = f"| {title} | {min(times):.0f} | {self.medians[name]:.0f} | {memory:.0f} |"
        self.lines.append(row)
        print(row)
        print(f"RESULT name={name} median_ms={self.medians[name]:.1f} min_ms={min(times):.1f} memory_mb={memory:.0f}", flush=True)


def measure(binary, schema, runs, debug):
    table = Table(runs)
    corpus = Corpus(open(schema, encoding="utf-8").read(), 1600).documents
    with tempfile.TemporaryDirectory() as folder:

        def write(name, documents):
            path = os.path.join(folder, name)
            os.makedirs(path)
            for number, text in enumerate(documents):
                with open(os.path.join(path, f"Document{number}.graphql"), "w", encoding="utf-8") as file:
                    file.write(text)
            return path

        whole = write("corpus1600", corpus)
        table.add("validate/1600", "validate, 1,600 documents", [binary, "validate", "--schema", schema, whole])
        # It reports the fragments that no operation of the corpus spreads, so it ends with status 1.
        table.add("spec/1600", "validate --spec, 1,600 documents", [binary, "validate", "--spec", "--schema", schema, whole], expected=1)
        for count in (400, 800, 1600):
            path = whole if count == 1600 else write(f"corpus{count}", corpus[:count])
            config = os.path.join(folder, f"{count}.json")
            compile_ = [binary, "compile", "--config", config]
            outputs = iter(range(1000))

            def choose_output():
                # A new folder each time, because reusing recently removed files is slow on some
                # file systems.
                out = os.path.join(folder, f"out{count}-{next(outputs)}")
                with open(config, "w", encoding="utf-8") as file:
                    file.write(f'{{"schema": "{schema}", "src": "{path}", "artifactDirectory": "{out}"}}')

            table.add(f"compile/{count}", f"compile, {count:,} documents, all files written", compile_, before=choose_output)
        table.add("compile/unchanged", "compile, 1,600 documents, no file changed", compile_)
        reference = [sys.executable, "-c", REFERENCE, schema, whole]
        table.add("reference/1600", "graphql-core, parse and validate, 1,600 documents", reference, min(runs, 3))
        small = write("small", corpus[:30])
        for name, tool in (("release", binary), ("debug", debug)):
            if tool:
                measure_edit(table, name, tool, schema, small, os.path.join(folder, name))
    return table


def measure_edit(table, name, tool, schema, documents, output):
    """Measures an edit of one of 30 documents, compiled with the build plugin's arguments."""
    command = [tool, "compile", "--schema", schema, "--output", output]
    for number in range(30):
        command += ["--file", os.path.join(documents, f"Document{number}.graphql"), f"Document{number}.graphql.swift"]
    edits = iter(range(1000))

    def edit():
        with open(os.path.join(documents, "Document0.graphql"), "r+", encoding="utf-8") as file:
            text = file.read().split("\n#")[0].rstrip()
            end = text.rindex("}")
            file.seek(0)
            file.truncate()
            file.write(f"{text[:end].rstrip()}\n  edited{next(edits)}: __typename\n}}\n")

    table.add(f"first/{name}", f"first build of 30 documents, {name} tool", command, before=lambda: shutil.rmtree(output, ignore_errors=True))
    table.add(f"edit/{name}", f"one edit in 30 documents, {name} tool", command, before=edit)


def page(table):
    ratio = table.medians["compile/1600"] / table.medians["validate/1600"]
    spec_ratio = table.medians["compile/1600"] / table.medians["spec/1600"]
    size = "\n".join(table.lines)
    return f"""{BEGIN}
## The compiler

1,600 documents of GitHub's schema, 1.2 MB, three of four fragments (`Benchmarks/corpus.py`). CPU time of the process,
which includes reading and writing files; {table.runs} runs. `compile` takes {ratio:.1f} times as long as `validate`, and {spec_ratio:.1f} times as long
as `validate --spec`, the rules of the specification alone; the limit is 2.5 times the latter. An edit is compiled with
the arguments of the build plugin.

{size}
{END}
"""


def main():
    binary, schema = sys.argv[1], os.path.abspath(sys.argv[2])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 9
    table = measure(binary, schema, runs, sys.argv[4] if len(sys.argv) > 4 else None)
    path = os.path.join(ROOT, "Docs", "Reference", "Performance.md")
    text = open(path, encoding="utf-8").read()
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2].lstrip("\n") if rest else ""
    with open(path, "w", encoding="utf-8") as output:
        output.write(before.rstrip("\n") + "\n\n" + page(table) + ("\n" + after if after else ""))


if __name__ == "__main__":
    main()
