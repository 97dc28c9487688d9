extension FieldValue {
  /// The id that this value gives where its field has a Swift type of its own: the text of what that encodes from what it decodes,
  /// so that every spelling of one value is one record. A value that does not convert is taken as it is.
  package func usableID(as scalar: (any CustomScalar.Type)?) -> DataID? {
    if case .null = self { return nil }
    guard let scalar, let json, let value = try? scalar.init(json: json) else { return usableID }
    return FieldValue(value.json).usableID ?? usableID
  }
}

extension DataID {
  /// The id of the object whose field `id` has this value: the text that the value encodes to, or the digits of a number.
  ///
  ///     try store[DataID(device.id)]?.setValue("Ann's phone", for: "name")
  ///
  /// - Returns: `nil` for a value that makes no id: one that encodes to an empty text, to 0, or to neither a text nor a number.
  public init?<Scalar: CustomScalar>(_ value: Scalar) {
    guard let id = FieldValue(value.json).usableID else { return nil }
    self = id
  }
}
