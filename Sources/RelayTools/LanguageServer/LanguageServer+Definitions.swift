import GraphQLLanguage
import RelayCompiler

extension LanguageServer {
  /// Returns the definitions of the element at a position. From the definition of a fragment or an
  /// operation, leads to its generated struct; from the name of a generated struct in Swift code, to
  /// its definition.
  func definition(_ params: JSON?) throws(ResponseError) -> JSON {
    let position = try Self.position(params)
    if let word = swiftWord(params, at: position) { return definitions(ofSwiftType: word) }
    let found = try locations(params) { target, position in
      target.session.definitions(at: position)
    }
    let generated = generatedDeclarations(params, at: position)
    return .list(found.items + generated)
  }

  private func generatedDeclarations(_ params: JSON?, at position: LinePosition) -> [JSON] {
    targets(params).compactMap { target in
      var target = target
      guard let type = target.session.generatedType(at: target.position(position)),
        let found = target.generated.declaration(of: type.name, inFile: type.file)
      else { return nil }
      let range = LineIndex(found.bytes).json(found.range, in: client.encoding)
      return ["uri": .string(FileURI.uri(of: found.path)), "range": range]
    }
  }

  // MARK: Swift code

  /// Returns the Swift identifier at a position outside tags; `nil` in other files.
  private func swiftWord(_ params: JSON?, at position: LinePosition) -> String? {
    guard let path = canonicalPath(params), path.hasSuffix(".swift"),
      let bytes = files[path]?.bytes ?? (try? readFile(path))
    else { return nil }
    let isInTag = targets(params).contains { target in
      var target = target
      return target.session.document(at: target.position(position)) != nil
    }
    if isInTag { return nil }
    let offset = LineIndex(bytes).offset(of: position, in: client.encoding)
    let start = bytes[..<offset].lastIndex { !SwiftCursor.isIdentifier($0) }.map { $0 + 1 } ?? 0
    let word = bytes[start...].prefix(while: SwiftCursor.isIdentifier)
    return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
  }

  /// Returns the definitions of a Swift type in all projects, without duplicates.
  private func definitions(ofSwiftType name: String) -> JSON {
    var seen: Set<JSON> = []
    return .list(
      projects.flatMap { project -> [JSON] in
        guard let session = project.session else { return [] }
        var places = EditorPlaces([project], in: files, encoding: client.encoding)
        return session.definitions(ofSwiftType: name).map { places.location($0) }
      }.filter { seen.insert($0).inserted })
  }
}
