"""A copy of the package, in which one fault at a time is planted, built and tested."""

import hashlib
import os
import re
import resource
import selectors
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from relevant_tests import SLOW, folders, suites, target

# An addition to the manifest of the copy. It restricts the test targets to those named in
# FAULTS_TEST_TARGETS.
MANIFEST = b"""
if let kept = Context.environment["FAULTS_TEST_TARGETS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !kept.contains($0.name) }
}
"""
# The seconds without output after which a run counts as hanging, and the limit for a whole run.
SILENCE_LIMIT, TIME_LIMIT = 300, 3600
# The address space limit of a run in bytes, which ends an endless loop that allocates.
MEMORY = 12 << 30
FAILED = re.compile(r"^✘ (Test .+?) recorded an issue (?:with .+ )?at (\S+:\d+:\d+): ")
CRASHED = re.compile(r"Fatal error|unexpected signal|exited with unexpected|Exited with signal", re.IGNORECASE)


@dataclass(frozen=True)
class Stage:
    """Tests that run together: the arguments that select them, and the test targets to build for
    them; all targets if empty.
    """

    name: str
    arguments: tuple[str, ...]
    targets: tuple[str, ...] = ()


@dataclass
class Run:
    """The result of a command."""

    code: int | None = None
    lines: list[str] = field(default_factory=list)
    # The first test failure, at which the command was ended.
    failure: str | None = None
    hangs: bool = False

    @property
    def passed(self) -> bool:
        return self.code == 0 and not self.failure and not self.hangs


class Copy:
    """A copy of the package's files as of the start, in a separate folder with a build folder
    beside it.
    """

    def __init__(self, root: Path, folder: Path, swift: str):
        self.files = {path: (root / path).read_bytes() for path in listed(root)}
        self.modes = {path: (root / path).stat().st_mode for path in self.files}
        self.folder, self.build_folder, self.swift = folder / "package", folder / "build", swift
        self.environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
        digest = hashlib.sha256()
        for path, content in sorted(self.files.items()):
            if path.startswith(("Sources/", "Tests/", "Package.swift", "Examples/", "Plugins/")):
                digest.update(f"{path}\n{len(content)}\n".encode() + content)
        self.fingerprint = digest.hexdigest()[:16]
        self.files["Package.swift"] += MANIFEST
        if (root / ".venv").exists() and not (self.folder / ".venv").exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / ".venv").symlink_to(root / ".venv")

    def text(self, path: str) -> str:
        return self.files[path].decode()

    def restore(self, planted: dict[str, str] | None = None):
        """Restores the copy to the package's files, except for `planted`.

        Unchanged files are not rewritten.
        """
        contents = self.files | {path: text.encode() for path, text in (planted or {}).items()}
        for path, content in contents.items():
            target = self.folder / path
            if target.is_file() and target.read_bytes() == content:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            target.chmod(self.modes[path])
        for folder in ("Sources", "Tests", "Plugins", "Examples"):
            for found in list((self.folder / folder).rglob("*")):
                path = str(found.relative_to(self.folder))
                if found.is_file() and path not in contents and not skipped(path):
                    found.unlink()

    def build(self, stage: Stage) -> Run:
        return self.run("build", "--build-tests", stage=stage, stops=False)

    def test(self, stage: Stage) -> Run:
        return self.run("test", "--skip-build", *stage.arguments, stage=stage, stops=True)

    def run(self, verb: str, *arguments: str, stage: Stage, stops: bool) -> Run:
        command = [*self.swift.split(), verb, "--scratch-path", str(self.build_folder), *arguments]
        environment = dict(self.environment)
        if stage.targets:
            environment["FAULTS_TEST_TARGETS"] = ",".join(stage.targets)
        process = subprocess.Popen(
            command, cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=limit_memory)
        try:
            return watch(process, stops)
        finally:
            end(process.pid)
            process.wait()

    # Stages

    def first_look(self, path: str) -> list[Stage]:
        """The stage with the suites that are relevant to a source file and belong to the test target listed
        first for it.
        """
        own = folders(path)
        first = [folder for folder in own if target(folder) == target(own[0])]
        chosen = suites(first, self.files)
        return [Stage("first look", ("--filter", chosen), (target(own[0]),))] if chosen else []

    def stages(self, path: str) -> list[Stage]:
        """The stages to run until one fails: few tests with a small build, then the other relevant
        tests, then all.
        """
        own = suites(folders(path), self.files)
        relevant = [Stage("relevant", ("--filter", own))] if own else []
        return self.first_look(path) + relevant + all_stages()

    def outcome(self, path: str, stages: list[Stage]) -> dict:
        """Builds and tests the fault that is planted in a file, and returns its outcome."""
        built = None
        for stage in stages:
            if built != stage.targets:
                built = stage.targets
                if end := self.end_of_build(path, self.build(stage)):
                    return end
            run = self.test(stage)
            if run.hangs:
                return {"outcome": "caught", "by": f"a hang of the tests ({stage.name}); {run.lines[-1:]}"}
            # A failure counts only if it happens twice, so that flaky tests catch nothing.
            if not run.passed and not (again := self.test(stage)).passed:
                return {"outcome": "caught", "by": reason(again) or reason(run) or "", "stage": stage.name}
        return {"outcome": "survived", "by": "", "stage": stages[-1].name}

    def end_of_build(self, path: str, built: Run) -> dict | None:
        """The outcome that a build alone decides; None if the tests have to run."""
        if built.hangs:
            return {"outcome": "caught", "by": "the build hangs: generated code needs the compiler"}
        if built.passed:
            return None
        module = "/".join(path.split("/")[:2])
        errors = [line for line in built.lines if "error:" in line]
        if not errors or any(f"/{module}/" in line or "Sources/" in line for line in errors):
            return {"outcome": "does not compile", "by": errors[0] if errors else ""}
        return {"outcome": "caught", "by": "the build of the tests: " + errors[0]}


def all_stages() -> list[Stage]:
    return [Stage("all but the slow", ("--skip", SLOW)), Stage("slow", ("--filter", SLOW))]


def first_looks(paths: list[str]) -> list[Stage]:
    """The stages that the first looks at these source files consist of."""
    targets = tuple(sorted({target(folders(path)[0]) for path in paths}))
    return [Stage("first look", ("--skip", SLOW), targets)]


def reason(run: Run) -> str:
    if run.failure or run.hangs:
        return run.failure or "a hang of the tests"
    return next((line for line in run.lines if CRASHED.search(line)), f"exit code {run.code}")


def listed(root: Path) -> list[str]:
    """The package's files that git tracks or that are untracked and not ignored."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, check=True,
        capture_output=True).stdout.decode().split("\0")
    return [name for name in sorted(set(names)) if name and (root / name).is_file()]


def skipped(path: str) -> bool:
    return any(part.startswith(".") or part == "__pycache__" for part in path.split("/"))


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def watch(process: subprocess.Popen, stops: bool) -> Run:
    """Reads a command's output until it ends, hangs, or (if `stops`) fails a test."""
    run, started, last_output, rest = Run(), time.monotonic(), None, b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if selector.select(timeout=5):
                chunk = os.read(process.stdout.fileno(), 1 << 16)
                if not chunk:
                    run.code = process.wait()
                    return run
                *lines, rest = (rest + chunk).split(b"\n")
                last_output = time.monotonic()
                for line in lines:
                    record(line.decode(errors="replace"), run)
                if stops and run.failure:
                    return run
            now = time.monotonic()
            # There is no output while another build holds the lock, so silence counts from the
            # first line on.
            if (last_output and now - last_output > SILENCE_LIMIT) or now - started > TIME_LIMIT:
                run.hangs = True
                return run


def record(line: str, run: Run):
    run.lines = run.lines[-2000:] + [line]
    if not run.failure and (match := FAILED.match(line)):
        run.failure = f"{match[1]} at {match[2]}"


def end(pid: int):
    """Kills a process and all its descendants, whatever their process groups."""
    table = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True).stdout
    children: dict[int, list[int]] = {}
    for line in table.splitlines():
        child, parent = map(int, line.split())
        children.setdefault(parent, []).append(child)
    remaining, found = [pid], []
    while remaining:
        found.append(remaining.pop())
        remaining += children.get(found[-1], [])
    for one in found:
        try:
            os.kill(one, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
