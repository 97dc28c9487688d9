/// What `@required` says is to be done when a field is null.
package enum RequiredAction: Sendable {
  /// The object around it is null; nothing else.
  case none
  /// … and there is a field error.
  case log
  /// … and the definition has no data; reading it throws.
  case `throw`
}

/// What a field with `@catch` is when anything inside it failed.
package enum CatchTarget: Sendable {
  case null
  /// A `Result`.
  case result
}

/// What a definition does when fields of it fail.
package enum DefinitionHandling: Sendable {
  /// `@throwOnFieldError`: it has no data, and reading it throws.
  case `throw`
  /// `@catch(to: NULL)`: it has no data.
  case null
  /// `@catch(to: RESULT)`: it has no data, and the errors say why.
  case result
}
