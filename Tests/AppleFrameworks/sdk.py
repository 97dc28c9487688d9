"""The modules of a platform's SDK, as far as Linux can make them.

The standard library's come from the toolchain's textual interfaces, which carry Apple's availability.
Darwin's are its C headers, from the wheel `ziglang`. The others are stubs: declarations by hand.
"""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).parent
STUBS = HERE / "Stubs"
INTERFACES = [
    "Swift", "_Builtin_float", "SwiftOnoneSupport", "_Concurrency", "Observation",
    "_StringProcessing", "Synchronization", "Testing",
]
HEADERS = "ziglang/lib/libc/include/any-darwin-any/"
# Availability for visionOS is that for iOS, by the table that an SDK has.
VISION_VERSIONS = {
    **{f"{version}.0": "1.0" for version in range(12, 18)},
    "17.1": "1.0", "17.2": "1.1", "17.4": "1.1", "18.0": "2.0", "26.0": "26.0",
}


class Missing(Exception):
    """What this machine lacks for the check, in a sentence."""


class Toolchain:
    """The Swift compiler of this machine and its resources."""

    def __init__(self):
        self.compiler = shutil.which("swiftc")
        if not self.compiler:
            raise Missing("There is no swiftc.")
        self.resources = pathlib.Path(self.compiler).resolve().parent.parent / "lib/swift"
        self.version = subprocess.run(
            [self.compiler, "--version"], capture_output=True, text=True, check=True).stdout
        for name in INTERFACES:
            self.interface(name)

    def interface(self, name):
        """The textual interface of a module of the standard library."""
        path = self.resources / f"linux/{name}.swiftmodule/x86_64-unknown-linux-gnu.swiftinterface"
        if not path.exists():
            raise Missing(f"The toolchain has no textual interface of {name} for x86_64 ({path.name}).")
        return path


def headers(cache):
    """Darwin's C headers: unpacked once from the wheel that requirements.txt pins."""
    requirement = (HERE / "requirements.txt").read_text().strip()
    folder = cache / f"headers-{requirement.split('==')[1]}"
    if folder.is_dir():
        return folder
    downloads = cache / "wheel"
    found = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
         "--no-deps", "--only-binary", ":all:", "--dest", downloads, requirement],
        capture_output=True, text=True)
    wheels = list(downloads.glob("ziglang-*.whl"))
    if found.returncode != 0 or not wheels:
        raise Missing(f"Darwin's headers, from the package {requirement}, cannot be downloaded.")
    unfinished = cache / "headers.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    with zipfile.ZipFile(wheels[0]) as wheel:
        for entry in wheel.infolist():
            if entry.filename.startswith(HEADERS) and not entry.is_dir():
                path = unfinished / entry.filename.removeprefix(HEADERS)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(wheel.read(entry))
    shutil.rmtree(downloads)
    unfinished.rename(folder)
    return folder


def sqlite_header():
    """The header of the system's SQLite."""
    path = pathlib.Path("/usr/include/sqlite3.h")
    if not path.exists():
        raise Missing("There is no sqlite3.h: install libsqlite3-dev.")
    return path


class SDK:
    """A platform's modules, in a folder that is made once for a toolchain and for these stubs."""

    def __init__(self, platform, toolchain, cache):
        self.platform = platform
        self.toolchain = toolchain
        self.headers = headers(cache)
        parts = [toolchain.version, self.headers.name, pathlib.Path(__file__).read_text(), platform.target]
        digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
        self.folder = cache / f"{platform.key}-{digest}"
        self.resources = self.folder / "resources"
        self.modules = self.folder / "modules"

    @property
    def base_flags(self):
        return ["-target", self.platform.target, "-disable-objc-interop",
                "-module-cache-path", self.folder / "cache"]

    @property
    def flags(self):
        """The flags that compile a module against this SDK."""
        clang = ["-nostdinc", "-isystem", self.resources / "clang/include", "-isystem", self.headers]
        flags = self.base_flags + [
            "-resource-dir", self.resources, "-plugin-path", self.toolchain.resources / "host/plugins",
            "-I", self.modules, "-I", self.folder / "c",
        ] + [part for flag in clang for part in ("-Xcc", flag)]
        if self.platform.key == "visionos":
            flags += ["-sdk", self.folder / "sdk"]
        return flags

    def prepare(self, run):
        """Makes what is missing; `run` runs a command and returns its output if it failed."""
        if not (self.folder / "finished").exists():
            for folder in self.folder.parent.glob(f"{self.platform.key}-*"):
                shutil.rmtree(folder)
            self.folder.mkdir(parents=True)
            self._link_resources()
            for name in INTERFACES:
                self._compile_interface(name, run)
            (self.folder / "finished").touch()
        # A module of an earlier run may have lost its sources.
        shutil.rmtree(self.modules, ignore_errors=True)
        self.modules.mkdir()
        self._write_module_maps()
        self._write_versions()

    def _link_resources(self):
        self.resources.mkdir()
        for name in ["shims", "clang", "apinotes"]:
            (self.resources / name).symlink_to(self.toolchain.resources / name)

    def _compile_interface(self, name, run):
        text = self.toolchain.interface(name).read_text()
        text = re.sub(r"-target \S+", f"-target {self.platform.target} -disable-availability-checking", text, count=1)
        text = re.sub(r"-module-link-name \S*", "", text)
        text = re.sub(r"(?m)^ *@backDeployed\(before.*\n", "", text)
        text = re.sub(r"(?m)^.*import Glibc\n", "", text)
        # Bodies of inlinable functions take most of the time, and decide only whether a constant overflows.
        text = text.replace(" -O ", " -O -experimental-skip-all-function-bodies ", 1)
        edited = self.folder / f"interfaces/{name}.swiftinterface"
        edited.parent.mkdir(exist_ok=True)
        edited.write_text(text)
        module = self.resources / self.platform.folder / f"{name}.swiftmodule" / f"{self.platform.module_triple}.swiftmodule"
        module.parent.mkdir(parents=True)
        # The compiler looks for the modules that an interface imports among those that are done.
        resources = self.toolchain.resources if name == "Swift" else self.resources
        output = run(
            ["-compile-module-from-interface", edited, *self.base_flags, "-parse-stdlib",
             "-disable-availability-checking", "-module-name", name, "-o", module,
             "-I", self.resources / self.platform.folder, "-resource-dir", resources])
        if output is not None:
            raise Missing(f"The toolchain's interface of {name} does not compile:\n{output}")

    def _write_module_maps(self):
        for name in ["Darwin", "SQLite3"]:
            folder = self.folder / "c" / name
            shutil.copytree(STUBS / name, folder, ignore=shutil.ignore_patterns("*.swift"), dirs_exist_ok=True)
        shutil.copy(sqlite_header(), self.folder / "c/SQLite3/sqlite3.h")

    def _write_versions(self):
        if self.platform.key == "visionos":
            (self.folder / "sdk").mkdir(exist_ok=True)
            (self.folder / "sdk/SDKSettings.json").write_text(json.dumps({
                "Version": self.platform.minimum, "CanonicalName": f"xrsimulator{self.platform.minimum}",
                "MaximumDeploymentTarget": f"{self.platform.minimum}.99",
                "VersionMap": {"iOS_visionOS": VISION_VERSIONS, "iOS_xrOS": VISION_VERSIONS},
            }))
