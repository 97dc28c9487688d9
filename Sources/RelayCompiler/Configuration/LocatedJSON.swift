import GraphQLLanguage

/// A value of a JSON file, with the keys that lead to it. A value of another type than the caller
/// asks for is an error at its line.
package struct LocatedJSON {
  package let value: InputValue
  /// The keys from the root, such as `input.schemaSearchPaths[0]`; empty for the root.
  package let path: String
  private let file: JSONFile

  /// Parses a JSON file.
  ///
  /// - Throws: ``ConfigurationError`` with the line and column of the first mistake, or of each key
  ///   that its object has twice.
  package init(_ source: Source) throws(ConfigurationError) {
    file = JSONFile(source)
    path = ""
    do throws(JSONReader.Failure) {
      // What Foundation's decoder accepts is no mistake.
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
  package var line: Int { file.location(ofKey: path).line }

  /// The value of a member; `nil` if it is absent or null, or if this value is not an object.
  package subscript(name: String) -> LocatedJSON? {
    guard let member = value[name], member != .null else { return nil }
    return LocatedJSON(value: member, path: path(of: name), file: file)
  }

  /// Returns the value of a member, or of the element with the key's index; null if there is none.
  func child(_ key: any CodingKey) -> LocatedJSON {
    guard let index = key.intValue else {
      let name = key.stringValue
      return LocatedJSON(value: value[name] ?? .null, path: self.path(of: name), file: file)
    }
    var item = InputValue.null
    if case .list(let items) = value, items.indices.contains(index) { item = items[index] }
    return LocatedJSON(value: item, path: "\(path)[\(index)]", file: file)
  }

  private func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  /// The members of an object, in the order of the file.
  package func members() throws(ConfigurationError) -> [(name: String, value: LocatedJSON)] {
    guard case .object(let members) = value else { throw typeError("an object") }
    return members.compactMap { member in self[member.name].map { (member.name, $0) } }
  }

  /// The elements of a list.
  package func elements() throws(ConfigurationError) -> [LocatedJSON] {
    guard case .list(let items) = value else { throw typeError("a list") }
    return items.enumerated().map { index, item in
      LocatedJSON(value: item, path: "\(path)[\(index)]", file: file)
    }
  }

  /// The value, which must be a string.
  package func string() throws(ConfigurationError) -> String {
    guard case .string(let text) = value else { throw typeError("a string") }
    if text.utf8.contains(0) { throw error("contains a null character.") }
    return text
  }

  /// The value, which must be true or false.
  package func boolean() throws(ConfigurationError) -> Bool {
    guard case .boolean(let flag) = value else { throw typeError("true or false") }
    return flag
  }

  /// Returns an error about the value.
  ///
  /// - Parameter message: What is wrong; the value's keys are put before it.
  package func error(_ message: String) -> ConfigurationError {
    let subject = path.isEmpty ? "The file" : "\"\(path)\""
    return ConfigurationError("\(subject) \(message)", at: file.location(ofKey: path))
  }

  /// Returns the error that a member of the value is missing.
  func missing(_ name: String) -> ConfigurationError {
    ConfigurationError("\"\(path(of: name))\" is missing.", at: file.location(ofKey: path))
  }

  /// Returns the error that the value is of another type than expected.
  ///
  /// - Parameter expected: The kinds of values that are accepted, such as "a string".
  package func typeError(_ expected: String) -> ConfigurationError {
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
