"""Compiles what runs on a watch for an `Int` of 32 bits, on Linux: see README.md.

    .venv/bin/python -B Tests/NarrowInt [--all]

Needs a build of the package. Prints a line for each module: those of the runtime, and with --all the
generated code of the tests, the guides and the examples. Fails on an error, a warning, or a planted
mistake that is not found.
"""

import argparse
import dataclasses
import importlib.util
import os
import pathlib
import sys

APPLE = pathlib.Path(__file__).parents[1] / "AppleFrameworks"
sys.path.append(str(APPLE))

import allowed
import mistakes
import narrow
import package
from platforms import Platform, platforms
from sdk import SDK, Missing, Toolchain

# By its path: this file has the same name.
_specification = importlib.util.spec_from_file_location("apple", APPLE / "__main__.py")
apple = importlib.util.module_from_spec(_specification)
_specification.loader.exec_module(apple)

# The products of the package that an app links.
MODULES = {
    "RelayStore", "RelayNetwork", "RelayLive", "RelayPersistence", "RelayLocalQueries", "RelayRecording", "RelaySwiftUI", "RelayInspector", "RelayStoreTesting",
    "GraphQLLanguage",
}


class Watch(Platform):
    """A watch with pointers of 32 bits."""

    @property
    def target(self):
        return f"arm64_32-apple-{self.system}{self.minimum}"

    @property
    def module_triple(self):
        return f"arm64_32-apple-{self.system}"


class NarrowToolchain(Toolchain):
    """The toolchain, with an interface of the standard library whose `Int` has 32 bits."""

    def __init__(self, cache):
        super().__init__()
        original = super().interface("Swift")
        self.version += pathlib.Path(narrow.__file__).read_text()
        self.edited = cache / "narrow" / original.name
        self.edited.parent.mkdir(exist_ok=True)
        # With -O the SDK leaves out bodies, without which no overflow of a constant is found.
        self.edited.write_text(narrow.with_32_bits(original.read_text()).replace(" -O ", " ", 1))

    def interface(self, name):
        return self.edited if name == "Swift" and hasattr(self, "edited") else super().interface(name)


def watch(description):
    """The watch of the manifest's deployment target."""
    found = next(platform for platform in platforms(description) if platform.key == "watchos")
    return Watch(**dataclasses.asdict(found) | {
        "name": "32 bits", "folder": "watchos", "key": "watchos32"})


def is_allowed(warning, is_runtime, used):
    """Whether a warning is about a conversion that cannot trap; adds its file to `used`. What users
    write may convert what it knows to be small."""
    if not is_runtime and narrow.MAY_TRAP in warning:
        return True
    path = warning.split(":")[0].removeprefix(f"{package.ROOT}/")
    message = narrow.MESSAGE.format(source="UInt32", name="Int")
    if path not in allowed.FILES or message not in warning:
        return False
    used.add(path)
    return True


def check_planted(checker, platform, flags):
    """Compiles each mistake as a module; whether all were found."""
    folder = checker.sdk.folder / "planted"
    folder.mkdir(exist_ok=True)
    missed = []
    for number, (source, message) in enumerate(mistakes.MISTAKES):
        path = folder / f"Planted{number}.swift"
        path.write_text(source + "\n")
        errors, warnings = checker.check(f"Planted{number}", [path], flags)
        if message is None and errors + warnings:
            missed.append(f"{source}: expected no diagnostic, found {errors + warnings}")
        elif message is not None and not any(message in line for line in errors + warnings):
            missed.append(f"{source}: expected \"{message}\", found {errors + warnings}")
    print(f"{len(mistakes.MISTAKES)} planted mistakes: {len(missed)} not found", *missed, sep="\n    ")
    return not missed


def check(cache, is_complete):
    toolchain = NarrowToolchain(cache)
    description = package.describe(package.ROOT, cache)
    modules = package.modules(description, cache)
    unknown = MODULES - {module.name for module in modules}
    if unknown:
        raise SystemExit(f"The manifest has no module {sorted(unknown)}.")
    platform = watch(description)
    sdk = SDK(platform, toolchain, cache)
    checker = apple.Checker(sdk)
    sdk.prepare(checker.run)
    sound = apple.check_stubs(checker, platform)
    used = set()
    for module in modules:
        if module.skipped or not module.is_for(platform) or not (is_complete or module.name in MODULES):
            continue
        (errors, warnings), seconds = apple.timed(lambda: checker.check(
            module.swift_name, module.sources, apple.source_flags(platform, module)))
        is_runtime = module.name in MODULES
        warnings = [line for line in warnings if not is_allowed(line, is_runtime, used)]
        sound = apple.report(platform, module.name, errors, warnings, seconds) and sound
    for path in sorted(allowed.FILES.keys() - used):
        print(f"{path} has no conversion that is allowed; remove it from allowed.py.")
        sound = False
    return check_planted(checker, platform, apple.source_flags(platform)) and sound


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true", help="every module that a watch can run")
    arguments = parser.parse_args()
    cache = package.ROOT / ".build-apple"
    cache.mkdir(exist_ok=True)
    try:
        sound = check(cache, arguments.all)
    except (Missing, narrow.Unknown) as missing:
        print(f"An Int of 32 bits was not checked: {missing}")
        return 1 if os.environ.get("CI") else 0
    cpu = os.times()
    print(f"{cpu.children_user + cpu.children_system:.0f} s of CPU")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
