"""Files in which `Int(x)` of an unsigned number of 32 bits cannot trap, and why."""

INDEX = "an index, an offset or a count of elements in memory, which an Int counts"
MASKED = "a few bits of the number"
COMPARED = "compared with the count of an array before"

FILES = {
    "Sources/GraphQLLanguage/Parsing/Parser+Recovery.swift": INDEX,
    "Sources/GraphQLLanguage/Parsing/Parser+TypeSystem.swift": INDEX,
    "Sources/GraphQLLanguage/Parsing/Parser+Values.swift": INDEX,
    "Sources/GraphQLLanguage/Parsing/SourcePrefix.swift": INDEX,
    "Sources/GraphQLLanguage/Printing/TokenCompactor.swift": INDEX,
    "Sources/GraphQLLanguage/Rendering/Excerpt.swift": INDEX,
    "Sources/GraphQLLanguage/Schema/Schema.swift": INDEX,
    "Sources/GraphQLLanguage/Schema/SchemaBuilder.swift": INDEX,
    "Sources/GraphQLLanguage/Text/LineIndex+Position.swift": INDEX,
    "Sources/GraphQLLanguage/Text/LineIndex.swift": INDEX,
    "Sources/GraphQLLanguage/Text/SymbolTable.swift": INDEX,
    "Sources/GraphQLLanguage/Text/Workspace.swift": COMPARED,
    "Sources/RelayLive/WebSocket/Base64.swift": MASKED,
    "Sources/RelayPersistence/Journal/LoadedImage.swift": COMPARED,
    "Sources/RelayStore/Records/Fields/FieldKey.swift": INDEX,
    "Sources/RelayStore/Records/Fields/FieldTree.swift": MASKED,
    "Sources/RelayStore/Records/Fields/RecordBox.swift": INDEX,
    "Sources/RelayStore/Records/TombstoneIDs.swift": INDEX,
    "Sources/RelayPersistence/Format/RecordDecoder.swift": COMPARED,
    "Sources/RelayPersistence/Format/PersistedNames.swift": COMPARED,
    "Sources/RelayStore/Records/Persisted/PersistedPage.swift": MASKED,
    "Sources/RelayStore/Store/Observation/ObserverTable+LiveFields.swift": INDEX,
    "Sources/RelayStore/Store/Observation/ObserverTable.swift": INDEX,
}
