"""Apple's platforms, by their simulators' triples for x86_64, whose Int has 64 bits."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Platform:
    """A platform as the package's manifest, Swift's triples and its resource folders name it."""

    name: str
    """The name in sentences, such as "macOS"."""
    key: str
    """The name in the output of `swift package describe`."""
    system: str
    """The system of a triple, without its version."""
    folder: str
    """The folder of the standard library's modules in a toolchain."""
    minimum: str
    """The deployment target of the manifest."""

    @property
    def target(self):
        simulator = "" if self.key == "macos" else "-simulator"
        return f"x86_64-apple-{self.system}{self.minimum}{simulator}"

    @property
    def module_triple(self):
        """The triple in the names of a module's files."""
        simulator = "" if self.key == "macos" else "-simulator"
        return f"x86_64-apple-{self.system.replace('macosx', 'macos')}{simulator}"

    @property
    def title(self):
        return f"{self.name} {self.minimum.removesuffix('.0')}"


_KNOWN = [
    ("macOS", "macos", "macosx", "macosx"),
    ("iOS", "ios", "ios", "iphonesimulator"),
    ("tvOS", "tvos", "tvos", "appletvsimulator"),
    ("watchOS", "watchos", "watchos", "watchsimulator"),
    ("visionOS", "visionos", "xros", "xrsimulator"),
]


def platforms(description):
    """The platforms that a manifest declares, in the order of their names above."""
    minimums = {entry["name"]: entry["version"] for entry in description["platforms"]}
    unknown = minimums.keys() - {key for _, key, _, _ in _KNOWN}
    if unknown:
        raise SystemExit(f"The manifest declares platforms that are not checked: {sorted(unknown)}.")
    missing = {key for _, key, _, _ in _KNOWN} - minimums.keys()
    if missing:
        # SwiftPM compiles the package for them all the same, at the oldest version it knows.
        raise SystemExit(f"The manifest does not declare platforms of Apple's: {sorted(missing)}.")
    return [
        Platform(name, key, system, folder, minimums[key])
        for name, key, system, folder in _KNOWN
    ]
