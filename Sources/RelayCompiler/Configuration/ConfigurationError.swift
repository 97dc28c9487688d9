import GraphQLLanguage

/// An error in a configuration; its description is ready for printing.
package struct ConfigurationError: Error, CustomStringConvertible {
  package let description: String
  /// The location of the error and the description without it; `nil` if the location is unknown.
  package let located: (location: SourceLocation, message: String)?

  package init(_ description: String) {
    self.description = description
    located = nil
  }

  /// Creates an error at a location in a file.
  package init(_ message: String, at location: SourceLocation) { self.init([(message, location)]) }

  /// Creates an error at the location of the first of several errors, followed by a line for each
  /// of the others.
  init(_ errors: [(message: String, location: SourceLocation)]) {
    let text = errors.map { "\($1): error: \($0)".onOneLine }.joined(separator: "\n")
    description = text
    located = errors.first.map { first in
      (first.location, String(text.dropFirst("\(first.location): error: ".onOneLine.count)))
    }
  }
}
