import RelayStore

/// The redaction of values in a timeline.
///
/// Arguments in storage keys, and in record ids derived from them, are replaced by numbers.
/// Different arguments have different numbers: `feed(#1)`.
struct TimelineRedaction {
  let isOn: Bool
  private var numbers: [Substring: Int] = [:]

  init(isOn: Bool) { self.isOn = isOn }

  /// Returns a storage key without the values of its arguments.
  mutating func key(_ key: String) -> String { isOn ? withoutArguments(key) : key }

  /// Returns an id without the values of arguments in it.
  mutating func id(_ id: DataID) -> DataID {
    isOn && id.isClientID ? DataID(withoutArguments(id.rawValue)) : id
  }

  private mutating func withoutArguments(_ text: String) -> String {
    guard let start = text.firstIndex(of: "(") else { return text }
    let arguments = text[start...]
    let number = numbers[arguments] ?? numbers.count + 1
    numbers[arguments] = number
    return "\(text[..<start])(#\(number))"
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

  /// Returns the JSON as a string, or `nil`.
  func text(_ json: @autoclosure () -> JSONValue) -> String? { isOn ? nil : json().description }
}
