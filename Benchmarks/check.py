"""Type-checks the benchmarks against the modules of the tests' build, in seconds instead of minutes.

usage: check.py FOLDER

FOLDER is what `swift build --show-bin-path` prints. `.ci/run` calls it, so that a change of the API that the
benchmarks use is noticed before they are run.
"""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent
STORE = ROOT / "Store/Sources"


def swiftc(folder, name, sources, out, *options):
    """Compiles a module's interface, and returns whether that succeeded."""
    command = ["swiftc", "-module-name", name.replace("-", "_"), "-swift-version", "6", "-I", folder / "Modules", "-I", out]
    command += ["-I", ROOT.parent / "Sources/CLibCurl/include", *options, *sources]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        print(f"{name} does not compile:\n{result.stderr}", file=sys.stderr)
    return result.returncode == 0


def main():
    folder = pathlib.Path(sys.argv[1])
    succeeded, count = True, 0
    with tempfile.TemporaryDirectory() as out:
        out = pathlib.Path(out)
        header = STORE / "Allocations/include/Allocations.h"
        (out / "module.modulemap").write_text(f'module Allocations {{ header "{header}" export * }}\n')
        swiftc(folder, "Measuring", (STORE / "Measuring").glob("*.swift"), out, "-emit-module", "-parse-as-library",
               "-emit-module-path", out / "Measuring.swiftmodule")
        for program in sorted(STORE.glob("*-benchmark")):
            sources = list(program.glob("*.swift"))
            config = program / "relay.config.json"
            if config.exists():
                generated = out / program.name
                command = [folder / "relay-compile", "compile", "--config", config, "--output", generated]
                for source in sources:
                    command += ["--file", source, f"{source.stem}.graphql.swift"]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                sources += generated.glob("*.swift")
            succeeded &= swiftc(folder, program.name, sources, out, "-typecheck")
            count += 1
        for language in (ROOT / "Language/Sources").iterdir():
            succeeded &= swiftc(folder, language.name, language.glob("*.swift"), out, "-typecheck")
            count += 1
    print(f"{count} benchmarks type-checked.")
    sys.exit(not succeeded)


if __name__ == "__main__":
    main()
