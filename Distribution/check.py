"""Builds the README's program with the prebuilt compiler, in a package of its own in a temporary folder.

It depends on this clone for the runtime, and for the plugin on the package that a release publishes. Checked are: the
program's output; that the compiler was not compiled; a mistake in a tag; a runtime and a compiler that do not fit; a
bundle that is not the one that was published; the command plugin.

`make distribution-test` runs it, after `make distribution`.
"""

import argparse
import contextlib
import copy
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator

import prepare

HELLO = prepare.ROOT / "Examples/Hello"
OUTPUT = """\
Row_todo(text: "Feed the cat", isComplete: false)
Row_todo(text: "Feed the cat", isComplete: true)
"""
SOURCE = "Sources/Hello/main.swift"


def publish(folder: pathlib.Path, zip_file: pathlib.Path, digest: str | None = None) -> pathlib.Path:
    """Writes the package that a release publishes, for a bundle that SwiftPM finds in its cache of downloads.

    Nothing is downloaded: no server answers at the URL of the bundle.
    """
    url = f"https://localhost:1/{folder.name}/{zip_file.name}"
    cache = folder.parent / "cache/artifacts"
    cache.mkdir(parents=True, exist_ok=True)
    shutil.copy(zip_file, cache / re.sub(r"\W", "_", url))
    prepare.write_package(folder, f'url: "{url}", checksum: "{digest or prepare.checksum(zip_file)}"')
    return folder


class App:
    """The program in a folder of its own."""

    def __init__(self, folder: pathlib.Path, plugins: pathlib.Path, configuration: str) -> None:
        self.folder = folder
        self.configuration = configuration
        self.options = ["--package-path", str(folder), "--cache-path", str(folder.parent / "cache")]
        self.options += ["-c", configuration]
        shutil.copytree(HELLO / "Sources", folder / "Sources")
        shutil.copy(HELLO / "schema.graphql", folder)
        self.depend(on=plugins)

    def depend(self, on: pathlib.Path) -> None:
        """Writes the manifest: that of Hello, but with the plugin of a package with a prebuilt compiler."""
        text = (HELLO / "Package.swift").read_text("utf-8")
        replacements = {
            'path: "../..")]': f'path: "{prepare.ROOT}"), .package(path: "{on}")]',
            '"RelayCompilerPlugin", package: "RelayStore"': f'"PrebuiltRelayCompilerPlugin", package: "{on.name}"',
        }
        for old, new in replacements.items():
            if text.count(old) != 1:
                sys.exit(f"Examples/Hello/Package.swift does not have {old} once.")
            text = text.replace(old, new)
        (self.folder / "Package.swift").write_text(text, encoding="utf-8")

    def swift(self, *arguments: str) -> subprocess.CompletedProcess:
        """Runs a command of SwiftPM on the package."""
        command = ["swift", arguments[0], *self.options, *arguments[1:]]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1800)

    @contextlib.contextmanager
    def edited(self, old: str, new: str) -> Iterator[None]:
        """Replaces a text of the source file for a while."""
        file = self.folder / SOURCE
        text = file.read_text("utf-8")
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
        yield
        file.write_text(text, encoding="utf-8")


def expect(condition: bool, claim: str, log: str) -> None:
    """Prints a claim that is true; ends the script with the log of a command if it is not."""
    if not condition:
        sys.exit(f"{log}\nFAILED: {claim}")
    print(f"ok: {claim}", flush=True)


def write_other_version(zip_file: pathlib.Path) -> None:
    """Writes a bundle whose compiler generates code of another format: the compiler, in a script that edits it."""
    script = (
        '#!/bin/sh\n"$(dirname "$0")/original" "$@" || exit\n'
        'while [ "$1" != --output ]; do shift; done\n'
        'sed "s/GeneratedCodeFormat.*}/GeneratedCodeFormat.v0 }/" "$2/Schema.graphql.swift" > "$2/edited"\n'
        'mv "$2/edited" "$2/Schema.graphql.swift"\n'
    )
    prepare.write_bundle(zip_file)
    with zipfile.ZipFile(zip_file) as archive:
        files = {entry: archive.read(entry) for entry in archive.infolist()}
    with zipfile.ZipFile(zip_file, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, content in files.items():
            if entry.filename.endswith("/relay-compile"):
                archive.writestr(copy.copy(entry), script)
                entry.filename = entry.filename.removesuffix("relay-compile") + "original"
            archive.writestr(entry, content)


def check_program(app: App) -> None:
    """The first build, its time, and what it compiles."""
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    log = app.swift("build").stdout
    seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    run = app.swift("run", "--quiet", "--skip-build", "Hello")
    expect(run.stdout == OUTPUT, "the program prints what the README shows", log + run.stdout)
    compiled = list((app.folder / ".build").rglob("RelayCompiler*.build/**/*.o"))
    expect(not compiled, "no module of the compiler was compiled", log)
    print(f"RESULT name=first-build/{app.configuration}-prebuilt cpu_s={cpu:.1f} elapsed_s={seconds:.1f}", flush=True)


def check_mistake(app: App) -> None:
    """An error in a tag."""
    with app.edited("{ text isComplete }", "{ txet isComplete }"):
        build = app.swift("build")
    message = f'{app.folder / SOURCE}:3:60: error: Cannot query field "txet" on type "Todo".'
    expect(build.returncode != 0 and message in build.stdout, "a mistake in a tag is reported at its line", build.stdout)


def check_versions(app: App, folder: pathlib.Path) -> None:
    """Packages whose bundle has another version of the compiler, or is not the one that was published."""
    other = folder / "other.artifactbundle.zip"
    write_other_version(other)
    app.depend(on=publish(folder / "other-package", other))
    build = app.swift("build")
    wanted = ["Schema.graphql.swift", "error:", "does not match this version of RelayStore"]
    fails = build.returncode != 0 and all(text in build.stdout for text in wanted)
    expect(fails, "a compiler of another version is an error of the build", build.stdout)
    line = next(line for line in build.stdout.splitlines() if "error:" in line and wanted[2] in line)
    print("    " + line.replace(str(app.folder) + "/", ""))
    app.depend(on=publish(folder / "wrong-package", other, digest="0" * 64))
    build = app.swift("build")
    fails = build.returncode != 0 and "does not match checksum" in build.stdout
    expect(fails, "a bundle that is not the published one is an error", build.stdout)


def check_command(app: App) -> None:
    """The command plugin, for generated code that is committed."""
    config = '{ "schema": "schema.graphql", "src": "Sources", "artifactDirectory": "Generated" }'
    (app.folder / "relay.config.json").write_text(config, encoding="utf-8")
    run = app.swift("package", "--allow-writing-to-package-directory", "prebuilt-relay-compile")
    names = sorted(file.name for file in (app.folder / "Generated").glob("*"))
    expected = ["Schema.graphql.swift", "main.graphql.swift"]
    expect(names == expected, "the command plugin writes the generated files", run.stdout)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--configuration", default="debug", choices=["debug", "release"])
    configuration = parser.parse_args().configuration
    start = time.monotonic()
    zip_file = prepare.OUTPUT / f"{prepare.NAME}.zip"
    if not zip_file.exists():
        sys.exit("There is no bundle. Run make distribution.")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        again = folder / zip_file.name
        prepare.write_bundle(again)
        expect(again.read_bytes() == zip_file.read_bytes(), "the same compilers give the same bundle", "")
        app = App(folder / "Hello", publish(folder / "relay-compiler-prebuilt", zip_file), configuration)
        check_program(app)
        check_mistake(app)
        check_command(app)
        check_versions(app, folder)
    print(f"Passed in {time.monotonic() - start:.0f} s.")


if __name__ == "__main__":
    main()
