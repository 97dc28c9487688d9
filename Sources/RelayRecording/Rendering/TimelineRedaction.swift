import RelayStore

/// The redaction of values in a timeline.
///
/// Redacted arguments in storage keys, and in record ids derived from them, are replaced by numbers.
/// Different arguments have different numbers: `feed(#1)`.
struct TimelineRedaction {
  private let names: Set<String>?
  private var numbers: [Substring: Int] = [:]

  init(_ redaction: StoreTimeline.Redaction) { names = redaction.names }

  /// Whether all values are redacted.
  var isOn: Bool { names == nil }

  /// Whether the value of a field or a variable is redacted.
  ///
  /// - Parameter name: The name, or a storage key.
  func hides(_ name: some StringProtocol) -> Bool {
    names?.contains(String(name.prefix { $0 != "(" })) ?? true
  }

  /// Whether the value at a path is redacted.
  func hides(_ path: ResponsePath) -> Bool {
    path.components.contains { if case .field(let key) = $0 { hides(key) } else { false } }
  }

  /// Returns a storage key without the values of redacted arguments.
  mutating func key(_ key: String) -> String { withoutArguments(key) }

  /// Returns an id without the values of redacted arguments in it.
  mutating func id(_ id: DataID) -> DataID {
    id.isClientID ? DataID(withoutArguments(id.rawValue)) : id
  }

  private mutating func withoutArguments(_ text: String) -> String {
    guard names?.isEmpty != true, let start = text.firstIndex(of: "(") else { return text }
    let arguments = text[start...]
    // Each piece but the last ends with the name of an argument, or of a member of one.
    let pieces = arguments.split(separator: ":", omittingEmptySubsequences: false).dropLast()
    let isHidden =
      isOn || pieces.contains { hides(Self.lastName(in: $0)) } || hasHiddenMember(arguments)
    guard isHidden else { return text }
    let number = numbers[arguments] ?? numbers.count + 1
    numbers[arguments] = number
    return "\(text[..<start])(#\(number))"
  }

  /// Returns a change without redacted values and arguments.
  mutating func change(_ change: StoreTimeline.FieldChange) -> StoreTimeline.FieldChange {
    var redacted = change
    let isHidden = hides(change.field ?? "") || hides(change.path ?? [])
    redacted.before = change.before.map { value($0, isHidden: isHidden) }
    redacted.after = change.after.map { value($0, isHidden: isHidden) }
    redacted.record = change.record.map { id($0) }
    redacted.field = change.field.map { key($0) }
    return redacted
  }

  private func value(_ json: String, isHidden: Bool) -> String {
    if isHidden { return StoreTimeline.FieldChange.redacted(json == "null") }
    return names.map { JSONRedaction.copy(of: Array(json.utf8), without: $0) } ?? json
  }

  /// Returns the description of an event with only the last components of paths, because the others
  /// may contain the user's name.
  func note(_ event: StoreEvent) -> String {
    guard isOn else { return event.description }
    let event: StoreEvent =
      switch event {
      case .outboxRejected(let path): StoreEvent.outboxRejected(path: Self.lastComponent(path))
      case .inboxFileRejected(let path, let reason):
        StoreEvent.inboxFileRejected(path: Self.lastComponent(path), reason: reason)
      default: event
      }
    // Messages have paths in quotes.
    let parts: [Substring] = event.description.split(
      separator: "\"", omittingEmptySubsequences: false)
    return parts.map { $0.hasPrefix("/") ? Self.lastComponent($0) : String($0) }
      .joined(separator: "\"")
  }

  private static func lastComponent(_ path: some StringProtocol) -> String {
    String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
  }

  /// Whether arguments may have a member of a JSON scalar with a redacted name, which need not be a
  /// GraphQL name.
  private func hasHiddenMember(_ arguments: Substring) -> Bool {
    names?.contains { arguments.contains(JSONValue.string($0).description) } ?? true
  }

  private static func lastName(in text: Substring) -> Substring {
    text.split { !isNameCharacter($0) }.last ?? ""
  }

  private static func isNameCharacter(_ character: Character) -> Bool {
    character == "_" || character.isASCII && (character.isLetter || character.isNumber)
  }

  /// Returns the JSON as a string without redacted members; `nil` if all values are redacted.
  func text(_ json: @autoclosure () -> JSONValue) -> String? {
    guard let names else { return nil }
    return names.isEmpty
      ? json().description : JSONRedaction.copy(of: json().jsonBytes, without: names)
  }

  /// Returns recorded bytes as a string without redacted members; `nil` if all values are redacted.
  func text(of bytes: [UInt8]) -> String? {
    names.map { JSONRedaction.copy(of: bytes, without: $0) }
  }
}
