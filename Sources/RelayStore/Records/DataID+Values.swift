extension FieldValue {
  /// The id that this value of the field `id` gives; `nil` for an empty string, 0 and anything
  /// that is neither string nor number.
  package var usableID: DataID? {
    switch self {
    case .string(let text): text.isEmpty ? nil : DataID(text)
    case .int(let int): int == 0 ? nil : DataID(String(int))
    case .number(let number): number.double == 0 ? nil : DataID(number.digits)
    default: nil
    }
  }
}
