"""Measures the first build of the README's program, the example Hello, in a new clone of HEAD.

usage: first_build.py [CONFIGURATION …]

`make bench-build` runs it, and builds in debug and in release. Prints a line such as
`RESULT name=first-build/release cpu_s=300.5` for each configuration. Times are the CPU time, user
and system, of all processes of the build. They grow when other programs use the machine.
"""

import os
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(clone, configuration):
    """Returns the CPU seconds of a build with an empty scratch folder.

    Exits the script if the build fails.
    """
    with tempfile.TemporaryDirectory() as scratch:
        command = ["swift", "build", "-c", configuration, "--scratch-path", scratch]
        command += ["--package-path", os.path.join(clone, "Examples", "Hello")]
        before = cpu_seconds()
        build = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if build.returncode != 0:
            sys.exit(f"{' '.join(command)} ended with status {build.returncode}:\n{build.stdout}")
        return cpu_seconds() - before


def main():
    with tempfile.TemporaryDirectory() as folder:
        clone = os.path.join(folder, "RelayStore")
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        print("| first build | CPU, s |\n|---|---|")
        for configuration in sys.argv[1:] or ["debug", "release"]:
            seconds = measure(clone, configuration)
            print(f"| {configuration} | {seconds:.0f} |")
            print(f"RESULT name=first-build/{configuration} cpu_s={seconds:.1f}", flush=True)


if __name__ == "__main__":
    main()
