extension Workspace {
  /// Parses a schema file: SDL, or an introspection result in JSON.
  ///
  /// The file is JSON if it starts with `{` followed by a string or `}`, which no SDL document
  /// does.
  ///
  /// - Complexity: O(*n*) in the bytes.
  public func parseSchema(_ source: Source) -> Parsed {
    source.isJSONObject ? parseIntrospection(source) : parse(source)
  }

  /// Parses an introspection result, with or without an enclosing `data`, into the SDL definitions
  /// that it describes.
  ///
  /// Names are checked against the grammar, and default values are parsed. The definitions have no
  /// source locations.
  ///
  /// - Complexity: O(*n*) in the bytes.
  public func parseIntrospection(_ source: Source) -> Parsed {
    let id = add(source)
    var reader = IntrospectionReader(symbols: symbols, source: id)
    reader.read(source.bytes)
    let document = Document(definitions: reader.definitions, source: id, symbols: symbols)
    return Parsed(document: document, diagnostics: reader.diagnostics)
  }
}

extension Source {
  /// Whether the source starts like a JSON object.
  package var isJSONObject: Bool {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    func dropSpace() { rest = rest.drop { [0x20, 0x0A, 0x0D, 0x09].contains($0) } }
    dropSpace()
    guard rest.popFirst() == UInt8(ascii: "{") else { return false }
    dropSpace()
    return rest.first == UInt8(ascii: "\"") || rest.first == UInt8(ascii: "}")
  }
}
