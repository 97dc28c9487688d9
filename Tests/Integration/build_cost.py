"""Runs a build, and prints its CPU time as a multiple of compiling one fixed file on the same machine.

usage: build_cost.py MULTIPLE COMMAND …

The file has 400 structs and never changes. It is compiled twice after the build, and the faster time
counts. Fails if the build fails, or takes 30 % more than MULTIPLE.
"""

import resource
import subprocess
import sys
import tempfile

TOLERANCE = 1.3
FIXED = "\n".join(
    f"struct S{number}: Hashable {{ var a: Int; var b: String; var c: [Int: String]; func f() -> Int {{ a + b.count + c.count }} }}"
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
    expected, command = float(sys.argv[1]), sys.argv[2:]
    build = seconds_of(command)
    with tempfile.TemporaryDirectory() as folder:
        source = folder + "/Fixed.swift"
        with open(source, "w", encoding="utf-8") as file:
            file.write(FIXED)
        compiler = ["swiftc", "-Onone", "-parse-as-library", "-c", source, "-o", folder + "/Fixed.o"]
        fixed = min(seconds_of(compiler) for _ in range(2))
    multiple = build / fixed
    print(f"The build took {build:.0f} s of CPU, {multiple:.0f} times the fixed file's {fixed:.2f} s; expected {expected:.0f}.")
    if multiple > TOLERANCE * expected:
        sys.exit(f"That is more than {TOLERANCE} times what is expected: what has become slow to compile?")


if __name__ == "__main__":
    main()
