"""Prepares the prebuilt compiler, as Docs/ContinuousIntegration.md describes.

    prepare.py build               builds relay-compiler, and relay-compile for the plugins, for this machine's platform
    prepare.py bundle [--url URL]  packs the compilers of all platforms that were built into an artifact bundle;
                                   with the URL of the published bundle also makes the package to publish

`make distribution` runs both. All output is in the folder Distribution/.build-bundle.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
OUTPUT = ROOT / "Distribution/.build-bundle"
TOOL = "relay-compiler"
# The executables in the bundle: all commands, and what the plugins run.
TOOLS = [TOOL, "relay-compile"]
NAME = f"{TOOL}.artifactbundle"
LOCAL = f'path: ".build-bundle/{NAME}.zip"'


@dataclasses.dataclass(frozen=True)
class Platform:
    """A platform that a bundle can have a compiler for."""

    name: str
    triples: list[str]
    build_options: list[str]
    strip_options: list[str]
    # Whether the build has ever been tried.
    was_run: bool


PLATFORMS = [
    Platform("linux-x86_64", ["x86_64-unknown-linux-gnu"], ["--static-swift-stdlib"], [], True),
    Platform("linux-aarch64", ["aarch64-unknown-linux-gnu"], ["--static-swift-stdlib"], [], False),
    # Universal. The system has the Swift libraries.
    Platform(
        "macos",
        ["arm64-apple-macosx", "x86_64-apple-macosx"],
        ["--arch", "arm64", "--arch", "x86_64"],
        ["-x"],
        False,
    ),
]


def this_platform() -> Platform:
    """Returns the platform of this machine."""
    machine = {"arm64": "aarch64", "amd64": "x86_64"}.get(platform.machine(), platform.machine())
    name = "macos" if sys.platform == "darwin" else f"{sys.platform}-{machine}"
    for known in PLATFORMS:
        if known.name == name:
            return known
    sys.exit(f"There is no prebuilt compiler for the platform {name}; see PLATFORMS in {__file__}.")


def folder(known: Platform) -> pathlib.Path:
    """The folder with the executables of a platform, and a file with their version."""
    return OUTPUT / "compilers" / known.name


def output(*command: str | pathlib.Path) -> str:
    """Runs a command and returns its standard output without the last line break."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.rstrip("\n")


def build() -> None:
    """Builds, strips and stores the compiler of this machine's platform."""
    known = this_platform()
    if not known.was_run:
        print(f"warning: The build for {known.name} has not been tried before.", file=sys.stderr)
    command = ["swift", "build", "--package-path", str(ROOT), "--scratch-path", str(OUTPUT / "scratch")]
    command += ["-c", "release", "-debug-info-format", "none", *known.build_options]
    target = folder(known)
    target.mkdir(parents=True, exist_ok=True)
    for tool in TOOLS:
        subprocess.run([*command, "--product", tool], check=True)
        built = pathlib.Path(output(*command, "--show-bin-path")) / tool
        subprocess.run(["strip", *known.strip_options, "-o", target / tool, built], check=True)
        print(f"{known.name}: {tool}, {size(target / tool)}")
    version = output(target / TOOL, "--version")
    (target / "version").write_text(version + "\n", encoding="utf-8")
    print(f"{known.name}: {version}")


def size(file: pathlib.Path) -> str:
    """The size of a file, for people."""
    return f"{file.stat().st_size / 1e6:.1f} MB"


def compilers() -> tuple[str, list[Platform]]:
    """Returns the version of the compilers that were built, which is the same for all, and their platforms."""
    built = [known for known in PLATFORMS if (folder(known) / "version").exists()]
    versions = {known.name: (folder(known) / "version").read_text("utf-8").strip() for known in built}
    if len(set(versions.values())) > 1:
        sys.exit(f"The compilers are of different versions: {versions}. Build all of one commit.")
    if not built:
        sys.exit("No compiler was built. Run prepare.py build.")
    version = re.match(rf"{TOOL} (\S+),", versions[built[0].name])
    if not version:
        sys.exit(f"This is not the answer of {TOOL} --version: {versions[built[0].name]}")
    return version[1], built


def write_bundle(zip_file: pathlib.Path) -> None:
    """Writes the artifact bundle (SE-0305) of all compilers that were built.

    The same compilers give the same bytes: entries are sorted, and have no times or owners.
    """
    version, built = compilers()
    artifacts = {
        tool: {
            "type": "executable",
            "version": version,
            "variants": [
                {"path": f"{known.name}/{tool}", "supportedTriples": known.triples} for known in built
            ],
        }
        for tool in TOOLS
    }
    info = {"schemaVersion": "1.0", "artifacts": artifacts}
    files = {
        "LICENSE": (ROOT / "LICENSE").read_bytes(),
        "info.json": (json.dumps(info, indent=2) + "\n").encode(),
    }
    files |= {f"{known.name}/{tool}": (folder(known) / tool).read_bytes() for known in built for tool in TOOLS}
    zip_file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(zip_file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(f"{NAME}/{path}", date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, whose permissions the attributes are.
            entry.external_attr = (0o100755 if path.endswith(tuple(TOOLS)) else 0o100644) << 16
            archive.writestr(entry, files[path])


def checksum(zip_file: pathlib.Path) -> str:
    """Returns what SwiftPM compares a downloaded bundle with."""
    return output("swift", "package", "--package-path", str(ROOT), "compute-checksum", str(zip_file))


def write_package(target: pathlib.Path, location: str) -> None:
    """Writes the package that an app depends on, with the real files of the plugins.

    Args:
        location: The arguments of the binary target that say where the bundle is.
    """
    source = ROOT / "Distribution"
    manifest = (source / "Package.swift").read_text("utf-8")
    if manifest.count(LOCAL) != 1:
        sys.exit(f"Distribution/Package.swift does not have {LOCAL} once.")
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source / "Plugins", target / "Plugins", symlinks=False)
    (target / "Package.swift").write_text(manifest.replace(LOCAL, location), encoding="utf-8")
    shutil.copy(ROOT / "LICENSE", target)


def bundle(url: str | None) -> None:
    """Makes the bundle, and with a URL the package to publish; prints what a release needs to know."""
    zip_file = OUTPUT / f"{NAME}.zip"
    write_bundle(zip_file)
    version, built = compilers()
    for known in built:
        sizes = ", ".join(f"{tool} {size(folder(known) / tool)}" for tool in TOOLS)
        print(f"{version} for {known.name}: {sizes}")
    for known in PLATFORMS:
        if known not in built:
            note = "" if known.was_run else " This has not been tried yet."
            print(f"not in the bundle: {known.name}. Run prepare.py build there.{note}")
    digest = checksum(zip_file)
    print(f"bundle    {os.path.relpath(zip_file)}, {size(zip_file)}\nchecksum  {digest}")
    if url:
        write_package(OUTPUT / "package", f'url: "{url}",\n      checksum: "{digest}"')
        print(f"package   {os.path.relpath(OUTPUT / 'package')}")


def bundle_url(text: str) -> str:
    """Returns a URL from which SwiftPM can download a bundle."""
    if not re.fullmatch(r"https://[^/\s\"\\]+/[^\s\"\\]+\.zip", text):
        raise argparse.ArgumentTypeError(f"expected https://…/….zip, which SwiftPM downloads, found {text!r}")
    return text


def main() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("build")
    commands.add_parser("bundle").add_argument(
        "--url", type=bundle_url, help="where the bundle will be: https://…/….artifactbundle.zip"
    )
    arguments = parser.parse_args()
    if arguments.command == "build":
        build()
    else:
        bundle(arguments.url)


if __name__ == "__main__":
    main()
