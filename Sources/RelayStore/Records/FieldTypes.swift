/// The types of fields as far as they are known, for updaters; implemented by ``PlannedFields``, in a layer above.
package protocol FieldTypes: AnyObject, Sendable {
  /// Whether a value can be written to a field.
  ///
  /// - Parameter typeName: The type of the record; `__Root` for the root of operations.
  func check(_ value: FieldValue, writtenTo field: String, of typeName: String) -> WriteCheck
}

/// Whether a value can be written to a field.
package enum WriteCheck {
  /// The value is of the field's type, or nothing is known of the record's type.
  case accepted
  /// The record's type is known, and the field is not.
  case unknownField
  /// The value is of another type.
  ///
  /// - Parameters:
  ///   - reason: Continues a sentence that begins with the field, as in "is of type Int, and cannot be a string".
  ///   - underlying: What the field's custom scalar threw.
  case refused(_ reason: String, underlying: (any Error)?)
}

/// A field that may be misspelt.
package struct UnknownField: Hashable, Sendable {
  package let typeName: String
  package let field: String

  package init(typeName: String, field: String) {
    self.typeName = typeName
    self.field = field
  }
}
