"""Runs a build, and prints its CPU time as a multiple of compiling one fixed file on the same machine.

usage: build_cost.py LIMIT COMMAND …

The multiple says whether the sources have become slow to compile, whatever the machine is doing. The file
has 400 structs and never changes. It is compiled twice after the build, and the lower of the two multiples
counts. Exits with the status of the build, or with 1 if the multiple is over LIMIT, which is 30 % over the
multiple on a quiet machine: raise it when the sources have grown for a reason.
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


def compile_fixed():
    """Returns the CPU seconds of compiling the fixed file, in a folder of its own: where there is an object
    file with the same contents, the compiler generates no code.
    """
    with tempfile.TemporaryDirectory() as folder:
        source = folder + "/Fixed.swift"
        with open(source, "w", encoding="utf-8") as file:
            file.write(FIXED)
        return seconds_of(["swiftc", "-Onone", "-parse-as-library", "-c", source, "-o", folder + "/Fixed.o"])


def main():
    limit, command = int(sys.argv[1]), sys.argv[2:]
    build = seconds_of(command)
    fixed = max(compile_fixed(), compile_fixed())
    print(f"The build took {build:.0f} s of CPU, {build / fixed:.0f} times the {fixed:.2f} s of a fixed file.")
    if build > limit * fixed:
        sys.exit(f"That is over {limit} times: see what has become slow to compile.")


if __name__ == "__main__":
    main()
