import RelayStore

/// A value in a column of a database.
public enum SQLiteValue: Hashable, Sendable {
  /// No value.
  case null
  /// An integer.
  case integer(Int64)
  /// A floating-point number; SQLite stores NaN as null.
  case real(Double)
  /// A string with any characters.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}

extension SQLiteValue {
  /// Creates the value of a property of a fragment; see ``SQLiteColumn``.
  init(_ value: some SlotValue) {
    if let double = value as Any as? Double {
      self = .real(double)
    } else {
      self.init(JSONValue(value.__slot))
    }
  }

  private init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .integer(value ? 1 : 0)
    case .number(let number): self.init(number)
    case .string(let text): self = .text(text)
    case .array, .object: self = .text(json.description)
    }
  }

  /// Creates an integer, a real number with up to 17 digits, or otherwise text. A `Double` always
  /// holds 15 digits exactly, and 17 digits distinguish all its values.
  private init(_ number: JSONNumber) {
    if let int = number.int {
      self = .integer(Int64(int))
    } else if let double = number.double, number.digits.utf8.count(where: { 48...57 ~= $0 }) <= 17 {
      self = .real(double)
    } else {
      self = .text(number.digits)
    }
  }
}
