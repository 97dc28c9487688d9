/// The types of fields, against which the values of updaters are checked.
///
/// ``PlannedFields``, in a higher layer, is the conforming type.
package protocol FieldTypes: AnyObject, Sendable {
  /// Checks whether a value can be written to a field.
  ///
  /// - Parameter typeName: The type of the record; `__Root` for the root of operations.
  func check(_ value: FieldValue, writtenTo field: String, of typeName: String) -> WriteCheck
}

/// The result of checking a value against the type of a field.
package enum WriteCheck {
  /// The value is of the field's type, or no plan selects from the record's type.
  case accepted
  /// Plans select other fields of the record's type, but not this one.
  case unknownField
  /// The value is of another type.
  ///
  /// - Parameters:
  ///   - reason: The end of a sentence that begins with the field, as in "is of type Int, and
  ///     cannot be a string".
  ///   - underlying: The error that the field's custom scalar threw.
  case refused(_ reason: String, underlying: (any Error)?)
}

/// A field that no plan selects from its type, and that may be misspelled.
package struct UnknownField: Hashable, Sendable {
  package let typeName: String
  package let field: String

  package init(typeName: String, field: String) {
    self.typeName = typeName
    self.field = field
  }
}
