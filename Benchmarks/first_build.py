"""Measures the first build of the README's program in a new clone of HEAD, and the size of small apps.

usage: first_build.py [--apps | --builds] [SYSTEM/CONFIGURATION …]

`make bench-build` runs it. A build is one of native/debug, native/release, swiftbuild/debug and
swiftbuild/release, all of them by default. For each, prints the CPU seconds, the wall seconds and the
peak memory of all compiler processes on the machine, so that no other build may run meanwhile; then the
CPU seconds of each module: the processes are looked at ten times a second, so that the last tenth of each
is missing from its module. Times grow when other programs use the machine.

The apps are those of Benchmarks/Apps: built in release, stripped, with the symbols of each module
counted. Exits with an error if an app has symbols of a module that it does not link.
"""

import argparse
import collections
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILDS = [f"{system}/{configuration}" for system in ("native", "swiftbuild") for configuration in ("debug", "release")]
MODULES = ["RelayStore", "RelayNetwork", "RelayLive", "RelayPersistence", "RelayLocalQueries", "RelayRecording"]
# Products of each app, and the modules that it links.
APPS = {
    "CoreApp": ("RelayStoreCore", {"RelayStore"}),
    "HTTPApp": ("RelayStore", {"RelayStore", "RelayNetwork"}),
    "OfflineApp": ("RelayStore, RelayLive, RelayPersistence", {"RelayStore", "RelayNetwork", "RelayLive", "RelayPersistence"}),
}
# The same program on other libraries, 2026-11-28, on a machine of this kind.
OTHERS = """
| the same program on | first build, CPU, s | app, MB |
|---|---|---|
| Apollo iOS 2.4 | release 21.9, debug 15.5 | 1.24 |
| GRDB 7 | release 67.8, debug 28.9 | |
"""
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


class Watch(threading.Thread):
    """Looks at the compiler processes until it is stopped."""

    def __init__(self):
        super().__init__(daemon=True)
        self.times = {}
        self.peak = 0
        self.ended = threading.Event()

    def run(self):
        while not self.ended.wait(0.1):
            memory = 0
            for entry in os.scandir("/proc"):
                if entry.name.isdigit():
                    memory += self.look(entry.name)
            self.peak = max(self.peak, memory)

    def look(self, process):
        """Notes the CPU time of a compiler process, and returns its memory in bytes."""
        try:
            stat = pathlib.Path("/proc", process, "stat").read_text().rsplit(") ", 1)[1].split()
            arguments = pathlib.Path("/proc", process, "cmdline").read_bytes().split(b"\0")
        except (FileNotFoundError, ProcessLookupError):
            return 0
        if not arguments[0].endswith((b"swift-frontend", b"clang", b"ld.gold", b"swift-build", b"swiftc", b"swift-driver")):
            return 0
        module = "other"
        if b"-module-name" in arguments:
            module = arguments[arguments.index(b"-module-name") + 1].decode()
        self.times[process] = (module, (int(stat[11]) + int(stat[12])) / TICKS)
        return int(stat[21]) * PAGE

    def modules(self):
        """Returns the CPU seconds by module."""
        sums = collections.Counter()
        for module, seconds in self.times.values():
            sums[module] += seconds
        return sums


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def swift_build(system, configuration, package, scratch, *options):
    """Builds a package; exits the script if that fails."""
    command = ["swift", "build", "-c", configuration, "--build-system", system, "--scratch-path", scratch]
    command += ["--package-path", str(package), *options]
    build = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if build.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with status {build.returncode}:\n{build.stdout[-4000:]}")


def measure_build(clone, build):
    system, configuration = build.split("/")
    watch = Watch()
    with tempfile.TemporaryDirectory() as scratch:
        before, begin = cpu_seconds(), time.monotonic()
        watch.start()
        swift_build(system, configuration, clone / "Examples/Hello", scratch)
        watch.ended.set()
        watch.join()
        cpu, wall = cpu_seconds() - before, time.monotonic() - begin
    modules = ", ".join(f"{name} {seconds:.0f}" for name, seconds in watch.modules().most_common(8))
    print(f"| {build} | {cpu:.0f} | {wall:.0f} | {watch.peak / 2**30:.1f} | {modules} |")
    print(f"RESULT name=first-build/{build} cpu_s={cpu:.1f} wall_s={wall:.1f}", flush=True)


def measure_apps(clone):
    """Returns the complaints about symbols that an app should not have."""
    complaints = []
    with tempfile.TemporaryDirectory() as scratch:
        swift_build("native", "release", clone / "Benchmarks/Apps", scratch)
        folder = pathlib.Path(scratch, "release")
        for name, (products, linked) in APPS.items():
            symbols = subprocess.run(
                ["nm", folder / name], check=True, capture_output=True, text=True).stdout
            counts = {module: len(re.findall(rf"{len(module)}{module}", symbols)) for module in MODULES}
            stripped = pathlib.Path(scratch, name + ".stripped")
            subprocess.run(["strip", "-o", stripped, folder / name], check=True)
            size = stripped.stat().st_size
            shown = ", ".join(f"{module} {count}" for module, count in counts.items() if count)
            print(f"| {name} | {products} | {size / 1e6:.2f} | {shown} |")
            print(f"RESULT name=app-size/{name} bytes={size}", flush=True)
            complaints += [
                f"{name} has {count} symbols of {module}, which it does not link"
                for module, count in counts.items()
                if count and module not in linked
            ]
    return complaints


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parts = parser.add_mutually_exclusive_group()
    parts.add_argument("--apps", action="store_true")
    parts.add_argument("--builds", action="store_true")
    parser.add_argument("choices", nargs="*")
    arguments = parser.parse_args()
    unknown = set(arguments.choices) - set(BUILDS)
    if unknown:
        parser.error(f"there is no build {', '.join(sorted(unknown))}")
    complaints = []
    with tempfile.TemporaryDirectory() as folder:
        clone = pathlib.Path(folder, "RelayStore")
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        commit = subprocess.run(
            ["git", "-C", clone, "rev-parse", "--short", "HEAD"], check=True, capture_output=True, text=True)
        print(f"Commit {commit.stdout.strip()}, {time.strftime('%Y-%m-%d')}.\n")
        if not arguments.apps:
            print("| first build | CPU, s | wall, s | peak, GiB | CPU of modules, s |\n|---|---|---|---|---|")
            for build in arguments.choices or BUILDS:
                measure_build(clone, build)
            print(OTHERS)
        if not arguments.builds:
            print("| app | products | stripped, MB | symbols |\n|---|---|---|---|")
            complaints = measure_apps(clone)
    if complaints:
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
