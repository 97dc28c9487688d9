"""The modules to check, from the manifests of the package and of its examples."""

import json
import pathlib
import shutil
import subprocess
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLES = sorted(path.parent.name for path in (ROOT / "Examples").glob("*/Package.swift"))
# Run on the machine that compiles an app, not in the app.
HOST_MODULES = {
    "RelayCompiler", "RelayTools", "relay-compiler", "relay-compile", "RelayCompilerPlugin", "RelayCompilerCommand",
    "TaskTracker",
}
TESTING = "import Testing"
# What the manifest defines for Apple's platforms, by target.
CONDITIONS = {"RelayNetwork": ["URLSESSION"]}
# Tests of what relay-compiler generates.
GENERATED_CODE = {"GeneratedCodeTests", "ConfiguredTests", "Guides", "ModuleTests"}


@dataclass
class Module:
    """Swift sources that are compiled together, or the reason why they are not."""

    name: str
    sources: list = field(default_factory=list)
    dependencies: list = field(default_factory=list)
    skipped: str | None = None
    is_in_package: bool = True

    @property
    def swift_name(self):
        return self.name.replace("-", "_")

    def is_for(self, platform):
        return platform.key == "macos" or self.name not in HOST_MODULES


def describe(path, cache):
    """The manifest at a path, as SwiftPM reads it."""
    output = subprocess.run(
        ["swift", "package", "--package-path", path, "--scratch-path", cache / "describe" / path.name,
         "describe", "--type", "json"],
        capture_output=True, text=True)
    if output.returncode != 0:
        raise SystemExit(f"SwiftPM cannot read the manifest at {path}:\n{output.stderr}")
    return json.loads(output.stdout[output.stdout.index("{"):])


def modules(description, cache):
    """All targets of the package, those of the examples and examples in Docs, each after those it needs."""
    found = {target["name"]: _module(target, description, cache) for target in description["targets"]}
    products = {product["name"]: product["targets"] for product in description["products"]}
    for name in EXAMPLES:
        example = describe(ROOT / "Examples" / name, cache)
        for target in example["targets"]:
            if target["name"] not in found:
                found[target["name"]] = _example(target, example, products, cache)
    for module in _documentation_examples(description, cache):
        found[module.name] = module
    return _sorted(found)


def _module(target, description, cache):
    module = Module(target["name"], _paths(target, description), target.get("target_dependencies", []))
    if target["module_type"] not in ("SwiftTarget", "PluginTarget"):
        module.skipped = "C for Linux"
    elif target["type"] == "test" and module.name not in GENERATED_CODE:
        module.skipped = "tests"
    if "RelayCompilerPlugin" in module.dependencies and not module.skipped:
        _add_generated(module, _plugin_output(module.name, description))
    if target["type"] == "plugin":
        module.dependencies = ["PackagePlugin"]
    _add_resources(module, target, cache)
    return module


def _plugin_output(name, description):
    identity = pathlib.Path(description["path"]).name.lower()
    return ROOT / ".build/plugins/outputs" / identity / name / "destination/RelayCompilerPlugin"


def _example(target, description, products, cache):
    module = Module(
        target["name"], _paths(target, description),
        target.get("target_dependencies", [])
        + [module for product in target.get("product_dependencies", []) for module in products[product]],
        is_in_package=False)
    folder = pathlib.Path(description["path"]) / target["path"]
    configuration = folder / "relay.config.json"
    choice = ["--config", configuration] if configuration.exists() else [
        "--schema", pathlib.Path(description["path"]) / "schema.graphql"]
    _generate(module, choice, cache)
    return module


def _documentation_examples(description, cache):
    """The examples in Docs that use Apple's frameworks."""
    examples = ROOT / "Tests/AppleFrameworks"
    found = []
    for path in sorted(examples.glob("*.swift")):
        name = path.stem
        module = Module(name, [path], ["RelayStore", "RelayNetwork", "RelayPersistence"], is_in_package=False)
        if name == "SwiftUIExample":
            module.dependencies = ["RelayStore", "RelayNetwork", "RelayLive", "RelayPersistence", "RelaySwiftUI"]
            _add_generated(module, _plugin_output("Guides", description))
        elif name != "LoggingExample":
            _generate(module, ["--schema", examples / "people.graphql"], cache)
        found.append(module)
    return found


def _paths(target, description):
    folder = pathlib.Path(description["path"]) / target["path"]
    return [folder / source for source in target["sources"]]


def _generate(module, choice, cache):
    """Runs relay-compiler on the sources of a module."""
    output = cache / "generated" / module.name
    shutil.rmtree(output, ignore_errors=True)
    files = [part for path in module.sources for part in ("--file", path, f"{path.stem}.graphql.swift")]
    run = subprocess.run(
        [ROOT / ".build/debug/relay-compiler", "compile", *choice, "--output", output, *files],
        capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"relay-compiler failed for {module.name}:\n{run.stdout}{run.stderr}")
    _add_generated(module, output)


def _add_generated(module, folder):
    generated = sorted(folder.glob("*.swift"))
    if not generated:
        raise SystemExit(f"There is no generated code of {module.name} in {folder}: build the package first.")
    module.sources += generated


def _add_resources(module, target, cache):
    """Declares the bytes of files that SwiftPM embeds in the code."""
    embedded = [
        pathlib.Path(resource["path"]).name.replace(".", "_")
        for resource in target.get("resources", []) if "embed_in_code" in resource["rule"]]
    if embedded and not module.skipped:
        path = cache / "generated" / module.name / "PackageResources.swift"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"  static let {name}: [UInt8] = []" for name in embedded]
        path.write_text("\n".join(["struct PackageResources {", *lines, "}", ""]))
        module.sources.append(path)


def with_dependencies(wanted, modules):
    """Modules and what they need, in the order of all modules."""
    names = {module.name for module in wanted}
    for module in reversed(modules):
        if module.name in names:
            names.update(module.dependencies)
    return [module for module in modules if module.name in names]


def _sorted(found):
    """The modules, each after its dependencies."""
    done = {}

    def add(name):
        module = found.get(name)
        if module and name not in done:
            for dependency in module.dependencies:
                add(dependency)
            done.setdefault(name, module)

    for name in found:
        add(name)
    return list(done.values())
