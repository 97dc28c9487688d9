"""Type-checks the package for Apple's platforms, on Linux: see README.md.

    .venv/bin/python -B Tests/AppleFrameworks [--all] [--platform NAME]… [--module NAME]…

Needs a build of the package. Prints a line for each module of the manifest and each platform. Fails on an
error, a warning, a module without a line, or a planted mistake that is not found.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

import hidden
import package
import planted
from platforms import platforms
from sdk import INTERFACES, SDK, STUBS, Missing, Toolchain

# A stub that stands for a part of the SDK, with what it needs.
STUB_MODULES = [
    "Dispatch", "FoundationEssentials", "Foundation", "os", "CoreServices", "Network", "CoreData", "SwiftData", "SwiftUI",
    "WidgetKit", "AppIntents", "PackagePlugin", "XcodeProjectPlugin",
]
HOST_STUBS = {"CoreServices", "PackagePlugin", "XcodeProjectPlugin"}
# With a line and a column, with a file, or with neither.
DIAGNOSTIC = re.compile(r"^(?:(?:[^\s:][^:]*)?:(?:\d+:)* )?(?:fatal )?(error|warning): .*$")


class Checker:
    """Compiles modules for one platform and counts what the compiler says of them."""

    def __init__(self, sdk):
        self.sdk = sdk

    def run(self, arguments):
        """Runs the compiler's front end; its output if it failed."""
        run = subprocess.run(
            [self.sdk.toolchain.compiler, "-frontend", *map(str, arguments)], capture_output=True, text=True)
        return None if run.returncode == 0 else run.stdout + run.stderr

    def check(self, name, sources, flags=()):
        """Compiles a module as far as its module file: the diagnostics of data flow and of isolation
        regions are included. Returns its errors and warnings, each once."""
        arguments = [
            "-frontend", "-emit-module", "-emit-module-path", self.sdk.modules / f"{name}.swiftmodule",
            "-experimental-allow-module-with-compiler-errors", *self.sdk.flags, "-swift-version", "6",
            "-module-name", name, *flags, *sources]
        if all(pathlib.Path(source).name != "main.swift" for source in sources):
            arguments.append("-parse-as-library")
        run = subprocess.run(
            [self.sdk.toolchain.compiler, *map(str, arguments)], capture_output=True, text=True)
        return diagnostics(run.stderr, run.returncode)


def diagnostics(output, status):
    """The errors and warnings of a compiler's output; one that says nothing and fails is an error."""
    found = {}
    for line in output.splitlines():
        match = DIAGNOSTIC.match(line)
        if match:
            found.setdefault(line, match[1])
    errors = [line for line, kind in found.items() if kind == "error"]
    warnings = [line for line, kind in found.items() if kind == "warning"]
    if status != 0 and not errors:
        errors = [f"the compiler ended with {status}: {output.strip()[-2000:]}"]
    return errors, warnings


def conditions(platform):
    """The conditions of a debug build; on iOS those of a release build with the inspector, and on
    tvOS those of one without it."""
    return {"ios": ["RELAY_INSPECTOR"], "tvos": []}.get(platform.key, ["DEBUG"])


def source_flags(platform, module=None):
    """The flags of a target; those of any target of the package without a module."""
    own = package.CONDITIONS.get(module.name, []) if module else []
    flags = [part for name in ["SWIFT_PACKAGE", *conditions(platform), *own] for part in ("-D", name)]
    is_in_package = module is None or module.is_in_package
    return ["-enable-testing", *flags] + (["-package-name", "relaystore"] if is_in_package else [])


def report(platform, name, errors, warnings, seconds):
    print(f"{platform.title:12} {name:24} {len(errors)} errors {len(warnings)} warnings {seconds:6.1f} s", flush=True)
    for line in (errors + warnings)[:20]:
        print(f"    {line.replace(str(package.ROOT) + '/', '')}")
    return not errors and not warnings


def timed(body):
    """The result of a function and the CPU time of the processes that it ran."""
    before = os.times()
    result = body()
    after = os.times()
    return result, after.children_user + after.children_system - before.children_user - before.children_system


def check_stubs(checker, platform):
    """Compiles the stubs, in which warnings do not count. Apple's frameworks may get further cases of
    enumerations and further properties of structures, so the stubs may, too."""
    sound = True
    for name in ["Darwin", *STUB_MODULES]:
        if name in HOST_STUBS and platform.key != "macos":
            continue
        flags = ["-import-underlying-module"] if name == "Darwin" else []
        sources = sorted((STUBS / name).glob("*.swift")) or [STUBS / f"{name}.swift"]
        flags = ["-enable-library-evolution", "-suppress-warnings", *flags]
        (errors, _), seconds = timed(lambda: checker.check(name, sources, flags))
        if errors:
            sound = report(platform, f"stub of {name}", errors, [], seconds)
    return sound


def check_platform(platform, modules, toolchain, cache, with_tests):
    """Prints a line for each module; returns whether all are sound.

    Files of tests are checked on request, where the platform has the conditions of a debug build."""
    sdk = SDK(platform, toolchain, cache)
    checker = Checker(sdk)
    _, seconds = timed(lambda: sdk.prepare(checker.run))
    print(f"{platform.title:12} standard library {seconds:43.1f} s", flush=True)
    sound = check_stubs(checker, platform)
    for module in modules:
        if module.skipped:
            print(f"{platform.title:12} {module.name:24} not checked: {module.skipped}")
            continue
        if not module.is_for(platform):
            print(f"{platform.title:12} {module.name:24} not checked: runs on macOS only")
            continue
        sources = [
            path for path in module.sources
            if (with_tests and "DEBUG" in conditions(platform)) or package.TESTING not in path.read_text()]
        (errors, warnings), seconds = timed(
            lambda: checker.check(module.swift_name, sources, source_flags(platform, module)))
        left = len(module.sources) - len(sources)
        name = f"{module.name} without {left} files of tests" if left else module.name
        sound = report(platform, name, errors, warnings, seconds) and sound
    return planted.check(checker, platform, source_flags(platform)) and sound


def selected(names, values, kind):
    """The values with these names; all without names. A name that none of them has is an error."""
    unknown = set(names or []) - {value.name for value in values}
    if unknown:
        raise SystemExit(f"There is no {kind} {', '.join(sorted(unknown))}.")
    return [value for value in values if not names or value.name in names]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true", help="every module for every platform, with the tests of generated code")
    parser.add_argument("--platform", action="append", help="only these platforms")
    parser.add_argument("--module", action="append", help="only these modules and what they need")
    arguments = parser.parse_args()
    cache = package.ROOT / ".build-apple"
    cache.mkdir(exist_ok=True)
    start = time.monotonic()
    sound = True
    try:
        toolchain = Toolchain()
        description = package.describe(package.ROOT, cache)
        modules = package.modules(description, cache)
        known = platforms(description)
        for finding in hidden.findings(modules, {"Darwin", "SQLite3", *STUB_MODULES, *INTERFACES}):
            print(finding)
            sound = False
        unlisted = {target["name"] for target in description["targets"]} - {module.name for module in modules}
        if unlisted:
            print(f"The manifest has targets without a line: {', '.join(sorted(unlisted))}.")
            sound = False
        wanted = selected(arguments.module, modules, "module")
        for platform in selected(arguments.platform, known, "platform"):
            if platform.key not in ("macos", "ios") and not arguments.all and not arguments.platform:
                print(f"{platform.title:12} checked by make apple")
                continue
            chosen = package.with_dependencies(wanted, modules)
            sound = check_platform(platform, chosen, toolchain, cache, arguments.all) and sound
    except Missing as missing:
        print(f"Apple's platforms were not checked. {missing}")
        return 1 if os.environ.get("CI") else 0
    cpu = os.times()
    print(f"{time.monotonic() - start:.0f} s, {cpu.children_user + cpu.children_system:.0f} s of CPU")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
