/// The field types that updaters' values are checked against.
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
  /// The value has the field's type, or no plan selects from the record's type.
  case accepted
  /// Plans select other fields of the record's type, but not this one.
  case unknownField
  /// The value has another type.
  ///
  /// - Parameters:
  ///   - reason: The end of a sentence that starts with the field, such as "is of type Int, and
  ///     cannot be a string".
  ///   - underlying: The error thrown by the field's custom scalar.
  case refused(_ reason: String, underlying: (any Error)?)
}

/// A possibly misspelled field: no plan selects it from its type.
package struct UnknownField: Hashable, Sendable {
  package let typeName: String
  package let field: String

  package init(typeName: String, field: String) {
    self.typeName = typeName
    self.field = field
  }
}
