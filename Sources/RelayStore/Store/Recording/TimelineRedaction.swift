/// The removal of values from a timeline.
///
/// Arguments in storage keys, and in the ids of records that are identified by them, are replaced by
/// numbers, so that different ones stay different: `feed(#1)`.
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

  /// Returns JSON as text, or `nil`.
  func text(_ json: @autoclosure () -> JSONValue) -> String? { isOn ? nil : json().description }
}
