import GraphQLLanguage
import RelayCompiler

/// A manifest of persisted operations, in Relay's or Apollo's format, with the version of the app
/// that sends them.
struct OperationManifest {
  /// An operation of the manifest.
  struct Entry {
    let id: String
    let text: String
    let location: SourceLocation
  }

  let version: String
  let entries: [Entry]

  /// Reads a manifest.
  ///
  /// - Throws: ``ConfigurationError`` with the line of the first mistake.
  init(version: String, _ source: Source) throws(ConfigurationError) {
    self.version = version
    let json = try LocatedJSON(source)
    entries = json["format"] != nil ? try Self.apollo(json) : try Self.relay(json)
  }

  private static func relay(_ json: LocatedJSON) throws(ConfigurationError) -> [Entry] {
    try json.allMembers().map { (id, text) throws(ConfigurationError) in
      try entry(id, text, at: text)
    }
  }

  private static func apollo(_ json: LocatedJSON) throws(ConfigurationError) -> [Entry] {
    let format = try json.required("format")
    guard try format.string() == "apollo-persisted-query-manifest" else {
      throw format.error("is not the format of an operation manifest.")
    }
    let version = try json.required("version")
    guard try version.number() == 1 else {
      throw version.error("is \(version.value); only version 1 is supported.")
    }
    return try json.required("operations").elements().map {
      (operation) throws(ConfigurationError) in
      try entry(
        try operation.required("id").string(), try operation.required("body"), at: operation)
    }
  }

  private static func entry(
    _ id: String, _ text: LocatedJSON, at place: LocatedJSON
  ) throws(ConfigurationError) -> Entry {
    let body = try text.string()
    // The compiler's ids are hashes, so a damaged text can be told from a different one.
    let isHash = id.count == 64 && id.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    if isHash, SHA256.hexadecimal(body) != id {
      throw text.error("is not the SHA-256 of its text; the manifest is damaged.")
    }
    return Entry(id: id, text: body, location: place.location)
  }
}
