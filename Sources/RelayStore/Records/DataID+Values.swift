extension FieldValue {
  /// The record id for this value of the field `id`; `nil` for an empty string, 0, and any value
  /// that is neither a string nor a number.
  var usableID: DataID? {
    switch self {
    case .string(let text): text.isEmpty ? nil : DataID(text)
    case .int(let int): int == 0 ? nil : DataID(String(int))
    case .number(let number): number.double == 0 ? nil : DataID(number.digits)
    default: nil
    }
  }
}

extension FieldValue {
  /// Returns the record id for this value, converted through the field's Swift type.
  ///
  /// The id is the value's JSON after one round trip through `scalar`, so every spelling of a value
  /// identifies the same record. A value that does not convert is used unchanged.
  func usableID(as scalar: (any JSONConvertible.Type)?) -> DataID? {
    if case .null = self { return nil }
    guard let scalar, let json, let value = try? scalar.init(json: json) else { return usableID }
    return FieldValue(value.json).usableID ?? usableID
  }
}
