/// The error type that reading a definition throws: `Never`, or ``RelayError`` if the definition
/// has `@throwOnFieldError` or an uncaught `@required(action: THROW)`.
public protocol ReadFailure: Error {
  /// Throws if a field error leaves the definition without data.
  static func __check(_ error: FieldError?) throws(Self)
}

extension Never: ReadFailure {
  @inlinable
  public static func __check(_ error: FieldError?) {}
}

extension RelayError: ReadFailure {
  public static func __check(_ error: FieldError?) throws(RelayError) {
    guard let error else { return }
    throw RelayError(field: error)
  }

  /// Creates the error for a definition that cannot be read.
  package init(field error: FieldError) {
    let owner = error.owner.isEmpty ? "The data" : "\"\(error.owner)\""
    let location = error.path.components.isEmpty ? "" : " at \"\(error.path)\""
    self.init(
      .field, "\(owner) cannot be read\(location): \(error.message)", path: error.path,
      underlying: error)
  }
}
