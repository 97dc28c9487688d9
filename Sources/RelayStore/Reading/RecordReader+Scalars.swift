/// Values that do not fit their fields' types, and custom scalars.
extension RecordReader {
  /// Reports a value that does not have the field's type.
  mutating func mismatch(_ value: FieldValue, of field: PlanField, level: Int) -> RowSlot? {
    report(
      .type,
      message:
        "Field \"\(field.name)\" is \(field.typeText), and the store has \(value.kind) for it.")
    return missingValue(isNullable: field.type.isNullable[level])
  }

  /// Reads a custom scalar, converting it if it has a Swift type.
  mutating func customScalar(
    _ value: FieldValue, named name: String, of field: PlanField, level: Int
  ) -> RowSlot? {
    guard let json = value.json else { return mismatch(value, of: field, level: level) }
    guard let type = field.scalar else { return RowSlot(scalar: value) }
    do {
      let converted = try StoreCallback.run("the conversion of the scalar type \(type)") {
        try type.init(json: json)
      }
      return RowSlot(converted: converted)
    } catch {
      let message = "The value of scalar \"\(name)\" does not convert to \(type): \(error.text)"
      report(.scalar, message: message, underlying: error)
      return missingValue(isNullable: field.type.isNullable[level])
    }
  }
}
