import RelayStore

/// A value in a column of a database.
public enum SQLiteValue: Hashable, Sendable {
  /// No value.
  case null
  /// A whole number.
  case integer(Int64)
  /// A floating-point number; SQLite stores one that is not a number as null.
  case real(Double)
  /// A text, which may have any characters.
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

  /// The number of digits that a `Double` always holds exactly is 15; with 17 each has its own.
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
