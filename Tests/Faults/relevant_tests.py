"""The tests that are relevant to a folder of Sources. They run first when a fault is planted there.
"""

import re

# The folders of Tests that are relevant to each folder of Sources; the entry with the longest matching
# prefix applies.
RELEVANT = {
    "GraphQLLanguage": ["GraphQLLanguageTests"],
    "GraphQLFormatting": ["GraphQLLanguageTests/Formatting"],
    "RelayCompiler": ["RelayCompilerTests", "RelayToolsTests", "GeneratedCode", "Configured"],
    "RelayTools": ["RelayToolsTests"],
    "RelayStore": ["RelayStoreTests"],
    "RelayStore/Concurrency": ["RelayStoreTests/Values", "RelayStoreTests/Environment"],
    "RelayStore/Values": ["RelayStoreTests/Values", "RelayStoreTests/Normalization", "GeneratedCode"],
    "RelayStore/Records": ["RelayStoreTests/Records", "RelayStoreTests/Store", "RelayStoreTests/Normalization"],
    "RelayStore/Plans": ["RelayStoreTests/Plans", "RelayStoreTests/Reading", "GeneratedCode"],
    "RelayStore/Binding": ["RelayStoreTests/Normalization", "RelayStoreTests/Reading"],
    "RelayStore/Rows": ["RelayStoreTests/Reading", "GeneratedCode"],
    "RelayStore/GeneratedCode": ["RelayStoreTests/Reading", "GeneratedCode"],
    "RelayStore/Scalars": ["RelayStoreTests/Values", "GeneratedCode"],
    "RelayStore/Normalization": ["RelayStoreTests/Normalization"],
    "RelayStore/Reading": ["RelayStoreTests/Reading", "GeneratedCode"],
    "RelayStore/Updating": ["RelayStoreTests/Updating", "GeneratedCode"],
    "RelayStore/Store": ["RelayStoreTests/Store", "RelayStoreTests/Environment"],
    "RelayStore/Transport": ["RelayStoreTests/Network", "RelayStoreTests/Environment"],
    "RelayStore/Requests": ["RelayStoreTests/Environment", "GeneratedCode"],
    "RelayStore/Environment": ["RelayStoreTests/Environment", "GeneratedCode"],
    "RelayStore/Observable": ["RelayStoreTests/Observable", "GeneratedCode"],
    "RelayNetwork": ["RelayStoreTests/Network"],
    "RelayLive": ["RelayStoreTests/Network", "RelayStoreTests/Subscriptions"],
    "RelayPersistence": ["RelayPersistenceTests"],
    "RelayPersistence/Objects": ["RelayStoreTests/ObjectSync", "RelayPersistenceTests", "GeneratedCode"],
    "RelayLocalQueries": ["RelayStoreTests/LocalQueries"],
    "RelayRecording": ["RelayInspectorTests"],
    "RelayStoreTesting": ["RelayStoreTestingTests", "GeneratedCode"],
}
# Suites that take minutes. They run last, and only if no other suite has caught the fault.
SLOW = "RealProject|RoundTrip|Schedule|StoreModel|StressTests"
SUITE = re.compile(r"^ *@Suite\b(?:[^\n]*\n)*?[^\n]*?\b(?:struct|class|enum|actor) (\w+)", re.MULTILINE)


def folders(path: str) -> list[str]:
    """The folders of Tests that are relevant to a source file."""
    folder = "/".join(path.split("/")[1:-1])
    key = max((name for name in RELEVANT if (folder + "/").startswith(name + "/")), key=len, default=None)
    return RELEVANT.get(key, [])


def target(folder: str) -> str:
    """The test target of a folder of Tests."""
    first = folder.split("/")[0]
    return first if first.endswith("Tests") else first + "Tests"


def suites(folders: list[str], files: dict[str, bytes]) -> str:
    """The `--filter` pattern for the suites in folders of Tests, without the slow ones; empty if
    there are none.
    """
    found = set()
    for tests in folders:
        for test, content in files.items():
            if test.startswith(f"Tests/{tests}/") and test.endswith(".swift"):
                found.update(SUITE.findall(content.decode()))
    found = {name for name in found if not re.search(SLOW, name)}
    return r"\.(" + "|".join(sorted(found)) + ")/" if found else ""
