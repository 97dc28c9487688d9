import GraphQLLanguage

/// A value in a JSON file, with its key path. Reading it as the wrong type throws an error with the
/// line.
package struct LocatedJSON {
  package let value: InputValue
  /// The key path from the root, such as `input.schemaSearchPaths[0]`; empty for the root.
  package let path: String
  private let file: JSONFile

  /// Parses a JSON file.
  ///
  /// - Throws: ``ConfigurationError`` with the line and column of the first syntax error, or of
  ///   each repeated key.
  package init(_ source: Source) throws(ConfigurationError) {
    file = JSONFile(source)
    path = ""
    do throws(JSONReader.Failure) {
      // Allow what Foundation's decoder accepts.
      value = try JSONReader.read(source.bytes, allowsTrailingCommas: true)
    } catch {
      throw ConfigurationError(error.message, at: file.location(of: error.offset))
    }
    try file.checkRepetitions()
  }

  private init(value: InputValue, path: String, file: JSONFile) {
    self.value = value
    self.path = path
    self.file = file
  }

  /// The line of the value's key.
  package var line: Int { location.line }
  /// The location of the value's key.
  package var location: SourceLocation { file.location(ofKey: path) }

  /// The value of a member; `nil` if it is missing or null, or if this value is not an object.
  package subscript(name: String) -> LocatedJSON? {
    guard let member = value[name], member != .null else { return nil }
    return LocatedJSON(value: member, path: path(of: name), file: file)
  }

  /// Returns the value of a required member.
  package func required(_ name: String) throws(ConfigurationError) -> LocatedJSON {
    guard let member = value[name] else {
      throw mistake("\"\(path(of: name))\" is missing.")
    }
    return LocatedJSON(value: member, path: path(of: name), file: file)
  }

  private func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  /// Returns the non-null members of an object, in source order.
  package func members() throws(ConfigurationError) -> [(name: String, value: LocatedJSON)] {
    try allMembers().filter { $0.value.value != .null }
  }

  /// Returns the members of an object, in source order.
  package func allMembers() throws(ConfigurationError) -> [(name: String, value: LocatedJSON)] {
    guard case .object(let members) = value else { throw typeError("an object") }
    return members.map { member in
      let path = path(of: member.name)
      return (member.name, LocatedJSON(value: member.value, path: path, file: file))
    }
  }

  /// Returns an error for each member whose name is unknown.
  func unknownMembers(
    known: [String]
  ) throws(ConfigurationError) -> [(message: String, location: SourceLocation)] {
    try allMembers().filter { !known.contains($0.name) }.map { name, value in
      let near = suggestions(for: name, among: known).map(path(of:))
      let message = "Unknown key \"\(value.path)\". \(didYouMean(near) ?? "Remove it.")"
      return (message, file.location(ofKey: value.path))
    }
  }

  /// Returns the elements of a list.
  package func elements() throws(ConfigurationError) -> [LocatedJSON] {
    guard case .list(let items) = value else { throw typeError("a list") }
    return items.enumerated().map { index, item in
      LocatedJSON(value: item, path: "\(path)[\(index)]", file: file)
    }
  }

  /// Returns the elements of a list of strings.
  func strings() throws(ConfigurationError) -> [String] {
    try elements().map { (element) throws(ConfigurationError) in try element.string() }
  }

  /// Returns the value, which must be one of the given strings.
  func string(oneOf values: [String]) throws(ConfigurationError) -> String {
    let text = try string()
    if values.contains(text) { return text }
    let last = values.last.map { " or \($0)" } ?? ""
    throw error("is \"\(text)\"; use \(values.dropLast().joined(separator: ", "))\(last).")
  }

  /// Returns the value, which must be a string.
  package func string() throws(ConfigurationError) -> String {
    guard case .string(let text) = value else { throw typeError("a string") }
    if text.utf8.contains(0) { throw error("contains a null character.") }
    return text
  }

  /// Returns the value, which must be true or false.
  package func boolean() throws(ConfigurationError) -> Bool {
    guard case .boolean(let flag) = value else { throw typeError("true or false") }
    return flag
  }

  /// Returns the value, which must be a number.
  package func number() throws(ConfigurationError) -> Double {
    switch value {
    case .int(let number): return Double(number)
    case .float(let number): return number
    default: throw typeError("a number")
    }
  }

  /// Whether the value is an object.
  var isObject: Bool { if case .object = value { true } else { false } }

  /// Returns an error about the value.
  ///
  /// - Parameter message: The problem; the value's key path is prepended.
  package func error(_ message: String) -> ConfigurationError {
    let subject = path.isEmpty ? "The file" : "\"\(path)\""
    return mistake("\(subject) \(message)")
  }

  /// Returns an error at the value's key.
  package func mistake(_ message: String) -> ConfigurationError {
    ConfigurationError(message, at: file.location(ofKey: path))
  }

  /// Returns the error for a value of the wrong type.
  ///
  /// - Parameter expected: The accepted kinds of values, such as "a string".
  func typeError(_ expected: String) -> ConfigurationError {
    let found =
      switch value {
      case .null: "null"
      case .boolean: "a Boolean value"
      case .int, .float: "a number"
      case .string: "a string"
      case .list: "a list"
      case .object: "an object"
      }
    return error("is \(found); it must be \(expected).")
  }
}
