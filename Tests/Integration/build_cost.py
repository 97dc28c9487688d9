"""Runs a build, and prints its CPU time as a multiple of compiling one fixed file on the same machine.

usage: build_cost.py COMMAND …

The multiple says whether the sources have become slow to compile, whatever the machine is doing. The file
has 400 structs and never changes. It is compiled twice after the build, and the faster time counts. Exits
with the status of the build.
"""

import resource
import subprocess
import sys
import tempfile

FIXED = "\n".join(
    f"struct S{number}: Hashable {{ var a: Int; var b: [Int: String]; func f() -> Int {{ a + b.count }} }}"
    for number in range(400)
)


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def seconds_of(command):
    """Returns the CPU seconds of a command; exits the script if it fails."""
    before = cpu_seconds()
    status = subprocess.run(command).returncode
    if status != 0:
        sys.exit(status)
    return cpu_seconds() - before


def main():
    build = seconds_of(sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        source = folder + "/Fixed.swift"
        with open(source, "w", encoding="utf-8") as file:
            file.write(FIXED)
        compiler = ["swiftc", "-Onone", "-parse-as-library", "-c", source, "-o", folder + "/Fixed.o"]
        fixed = min(seconds_of(compiler) for _ in range(2))
    print(f"The build took {build:.0f} s of CPU, {build / fixed:.0f} times the {fixed:.2f} s of a fixed file.")


if __name__ == "__main__":
    main()
