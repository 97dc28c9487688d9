/// An error in a configuration; its description is ready to be printed.
package struct ConfigurationError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
