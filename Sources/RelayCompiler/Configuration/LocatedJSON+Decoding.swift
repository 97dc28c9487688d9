extension LocatedJSON {
  /// Returns the error for the user when the file's JSON could not be decoded.
  ///
  /// - Parameter expected: Returns what a value must be, such as "a string", by the type that was
  ///   decoded.
  func error(for error: DecodingError, expected: (Any.Type) -> String) -> ConfigurationError {
    switch error {
    case .keyNotFound(let key, let context):
      return value(at: context.codingPath).missing(key.stringValue)
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      return value(at: context.codingPath).typeError(expected(type))
    case .dataCorrupted(let context):
      return value(at: context.codingPath).error("cannot be read.")
    @unknown default:
      return self.error("cannot be read.")
    }
  }

  /// Returns the value to which keys lead, which may be null.
  private func value(at keys: [any CodingKey]) -> LocatedJSON {
    keys.reduce(self) { $0.child($1) }
  }
}
