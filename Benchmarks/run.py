"""Measures the GraphQL language, each run in a fresh process; `make bench` runs it.

usage: run.py BINARY SCHEMA [RUNS]

Prints a table and machine-readable lines such as `RESULT name=schema/1x median_ms=… min_ms=…`, and
writes Docs/Reference/Performance.md. Times are CPU time of the process after the file is read. graphql-core
is the reference implementation in Python.
"""

import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KEPT_NAMES = {"String", "Int", "Float", "Boolean", "ID"}
REFERENCE = """
import sys, time
from graphql import build_schema, validate_schema
text = open(sys.argv[1], encoding="utf-8").read()
start = time.process_time()
errors = validate_schema(build_schema(text))
print(f"cpu_ms={(time.process_time() - start) * 1e3} memory_bytes=0")
sys.exit(1 if errors else 0)
"""


def larger_schema(text, copies):
    """Returns the schema concatenated `copies` times, with renamed types in each further copy."""
    parts = [text]
    for copy in range(1, copies):
        # `schema` and directive definitions must occur only once.
        once = re.compile(r"^(?:schema\b[^}]*}|directive @\w+.*?\bon\b[^@{]*?)(?=\n\n|\Z)", re.M | re.S)
        renamed = once.sub("", text)
        names = set(re.findall(r"^(?:type|interface|union|enum|input|scalar) (\w+)", renamed, re.M)) - KEPT_NAMES
        pattern = re.compile(r"(?<![@\w])[A-Z]\w*")
        parts.append(pattern.sub(lambda m: f"{m[0]}_{copy}" if m[0] in names else m[0], renamed))
    return "\n".join(parts)


def documents(schema_text):
    """Returns two fragments for each object type: one with its leaf fields, and one with its other
    fields, each of which spreads the first fragment of its type.
    """
    from graphql import build_schema, get_named_type, is_composite_type, is_object_type, is_required_argument

    schema = build_schema(schema_text)
    texts = ["query Root_Query { __typename }"]
    for name, type_ in sorted(schema.type_map.items()):
        if not is_object_type(type_) or name.startswith("__"):
            continue
        leafs, lines = [], []
        for field_name, field in type_.fields.items():
            if any(is_required_argument(argument) for argument in field.args.values()):
                continue
            arguments = "(first: 10)" if "first" in field.args else ""
            named = get_named_type(field.type)
            if is_composite_type(named):
                spread = f"...{named.name}_leafs" if is_object_type(named) else "__typename"
                lines.append(f"  {field_name}{arguments} {{\n    {spread}\n  }}\n")
            else:
                leafs.append(f"  {field_name}{arguments}\n")
        texts.append(f"fragment {name}_leafs on {name} {{\n  __typename\n{''.join(leafs)}}}")
        texts.append(f"fragment {name}_all on {name} {{\n  ...{name}_leafs\n{''.join(lines)}}}")
    return "\n\n".join(texts) + "\n"


def larger_documents(text, copies):
    def copy(number):
        return re.sub(r"\b(\w+)_(all|leafs|Query)\b", rf"\g<1>_\g<2>{number}", text) if number else text

    return "\n".join(copy(number) for number in range(copies))


def run(command, runs):
    """Returns the CPU milliseconds of each run, and the greatest memory growth in bytes."""
    times, memory = [], 0
    for _ in range(runs):
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        values = dict(item.split("=") for item in output.split())
        times.append(float(values["cpu_ms"]))
        memory = max(memory, int(values["memory_bytes"]))
    return times, memory


class Table:
    """The rows of the results.

    They are printed when measured, and written to the page at the end.
    """

    def __init__(self):
        self.lines = ["| case | source, MB | minimum, ms | median, ms | MB/s | memory, times the source |", "|---|---|---|---|---|---|"]
        print("\n".join(self.lines))

    def add(self, name, title, size, times, memory):
        minimum, median = min(times), statistics.median(times)
        memory_text = f"{memory / size:.1f}" if memory else ""
        row = f"| {title} | {size / 1e6:.2f} | {minimum:.1f} | {median:.1f} | {size / 1e3 / median:.1f} | {memory_text} |"
        self.lines.append(row)
        print(row)
        more = f" memory_ratio={memory / size:.2f}" if memory else ""
        print(f"RESULT name={name} median_ms={median:.2f} min_ms={minimum:.2f} mb_per_s={size / 1e3 / median:.2f}{more}", flush=True)


def machine():
    """Describes the machine, without its name."""
    model = "unknown processor"
    if os.path.exists("/proc/cpuinfo"):
        models = re.findall(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
        model = models[0].strip() if models else platform.machine()
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    version = re.search(r"Swift version ([\d.]+)", swift)
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"Swift {version[1] if version else 'unknown'}, Python {platform.python_version()}"
    )


def page(table, runs, load):
    from graphql import version

    return f"""# Performance

Measured by `make bench`, which writes the tables and draws the plots. In a plot, a mark is the limit of a case; a bar
beyond it is red.

Machine: {machine()}; load average {load:.1f} at the
start.

## The GraphQL language

GitHub's schema, and documents with two fragments for each of its object types; 2x and 4x are copies with other names.
"Schema" parses, builds and validates; "documents" parses and validates in Relay's mode; "syntax" parses and prints. CPU
time of new processes after the file was read, {runs} runs (graphql-core {version}: {min(runs, 5)}). Memory is the growth of the
peak resident size.

{chr(10).join(table.lines)}

![Megabytes of schema and documents parsed and validated in a second](../Plots/Language.svg)
"""


def main():
    binary, schema, runs = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 15
    load = os.getloadavg()[0]
    text = open(schema, encoding="utf-8").read()
    table = Table()
    with tempfile.TemporaryDirectory() as folder:

        def file(name, content):
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as output:
                output.write(content)
            return path, len(content.encode())

        for copies in (1, 2, 4):
            path, size = file(f"schema{copies}", larger_schema(text, copies))
            table.add(f"schema/{copies}x", f"schema, {copies}x", size, *run([binary, "schema", path], runs))
        small, size = file("schema1", text)
        reference = run([sys.executable, "-c", REFERENCE, small], min(runs, 5))
        table.add("schema/graphql-core", "schema, graphql-core", size, *reference)
        base = documents(text)
        for copies in (1, 2, 4):
            path, size = file(f"documents{copies}", larger_documents(base, copies))
            measured = run([binary, "documents", small, path], runs)
            table.add(f"documents/{copies}x", f"documents, {copies}x", size, *measured)
        table.add("syntax/1x", "syntax, the schema", len(text.encode()), *run([binary, "syntax", small], runs))
    # The sections of other scripts follow this part of the page and are preserved.
    path = os.path.join(ROOT, "Docs", "Reference", "Performance.md")
    rest = open(path, encoding="utf-8").read().partition("<!-- ")
    with open(path, "w", encoding="utf-8") as output:
        output.write(page(table, runs, load) + ("\n" + rest[1] + rest[2] if rest[2] else ""))


if __name__ == "__main__":
    main()
