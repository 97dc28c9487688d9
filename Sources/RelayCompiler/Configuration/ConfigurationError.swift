import GraphQLLanguage

/// An error in a configuration; its description is ready to be printed.
package struct ConfigurationError: Error, CustomStringConvertible {
  package let description: String
  /// The place of the error, and the description without it; `nil` if the place is not known.
  let located: (location: SourceLocation, message: String)?

  package init(_ description: String) {
    self.description = description
    located = nil
  }

  /// Creates an error at a place of a file.
  init(_ message: String, at location: SourceLocation) {
    description = "\(location): error: \(message)"
    located = (location, message)
  }
}
