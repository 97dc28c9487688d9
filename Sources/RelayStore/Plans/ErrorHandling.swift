/// The action of `@required` when a field is null.
package enum RequiredAction: Sendable {
  /// The object around the field is null.
  case none
  /// The object around the field is null, and a field error is reported.
  case log
  /// The definition has no data, and reading it throws.
  case `throw`
}

/// The value of a field with `@catch` when an error occurred inside it.
package enum CatchTarget: Sendable {
  case null
  /// A `Result` with the errors.
  case result
}

/// The effect of a failed field on the data of its definition.
package enum DefinitionHandling: Sendable {
  /// `@throwOnFieldError`: there is no data, and reading throws.
  case `throw`
  /// `@catch(to: NULL)`: there is no data.
  case null
  /// `@catch(to: RESULT)`: there is no data, only the errors.
  case result
}
