import GraphQLLanguage

/// An error in a configuration; its description is ready to be printed.
package struct ConfigurationError: Error, CustomStringConvertible {
  package let description: String
  /// The place of the error, and the description without it; `nil` if the place is not known.
  package let located: (location: SourceLocation, message: String)?

  package init(_ description: String) {
    self.description = description
    located = nil
  }

  /// Creates an error at a place of a file.
  init(_ message: String, at location: SourceLocation) { self.init([(message, location)]) }

  /// Creates an error at the place of the first of several errors. Lines about the others follow.
  init(_ errors: [(message: String, location: SourceLocation)]) {
    let text = errors.map { "\($1): error: \($0)" }.joined(separator: "\n")
    description = text
    located = errors.first.map { first in
      (first.location, String(text.dropFirst("\(first.location): error: ".count)))
    }
  }
}
