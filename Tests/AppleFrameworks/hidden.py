"""What conditional compilation hides from the check: a framework without a stub, a condition that no
platform sets, an import that only the order of the modules makes possible."""

import re

# Modules that Apple's platforms do not have.
ELSEWHERE = {"Android", "FoundationNetworking", "Glibc", "Musl"}
# Each is set for one platform or module at least, and not set for another; the last one has the code of DEBUG.
CONDITIONS = {"DEBUG", "RELAY_INSPECTOR", "URLSESSION", "RELAYSTORE_CHECK_INVARIANTS"}
DIRECTIVE = re.compile(r"^[ \t]*#(?:if|elseif)[ \t]+(.*?)[ \t]*(?://.*)?$", re.MULTILINE)
FUNCTION = re.compile(r"\b(\w+)\(([^()]*)\)")
LITERAL = re.compile(r'"""\n.*?"""', re.DOTALL)
IMPORT = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^()]*\))?[ \t]+)*(?:(?:public|package|internal|fileprivate|private)[ \t]+)?"
    r"import[ \t]+(?:(?:struct|class|enum|protocol|func|var|let|typealias)[ \t]+)?(\w+)", re.MULTILINE)


def findings(modules, provided):
    """Sentences about the sources of modules; `provided` are the modules of the platforms' SDKs."""
    found = {module.swift_name: module for module in modules}
    return [
        f"{module.name}, {path.name}: {finding}"
        for module in modules if not module.skipped for path in module.sources
        for finding in _of_source(path.read_text(), module, found, provided)]


def _of_source(text, module, found, provided):
    text = LITERAL.sub("", text)
    for condition in DIRECTIVE.findall(text):
        for name, argument in FUNCTION.findall(condition):
            if name == "canImport" and argument.split(",")[0] not in provided | ELSEWHERE | found.keys():
                yield f"no platform can import {argument}, so its code is not compiled: it needs a stub"
            elif name in ("arch", "targetEnvironment", "hasFeature", "hasAttribute"):
                yield f"{name}({argument}) is the same on all platforms of the check"
        for name in re.findall(r"[A-Za-z_]\w*", FUNCTION.sub("", condition)):
            if name not in CONDITIONS | {"true", "false"}:
                yield f"no platform sets {name}, so its code is not compiled"
    reachable = _dependencies(module, found)
    for name in IMPORT.findall(text):
        if name in found and name != module.swift_name and name not in reachable:
            yield f"{name} is imported and is no dependency"


def _dependencies(module, found):
    """The names of the modules that a module depends on, directly or not."""
    names = set()
    pending = [module]
    while pending:
        for name in pending.pop().dependencies:
            name = name.replace("-", "_")
            if name in found and name not in names:
                names.add(name)
                pending.append(found[name])
    return names
