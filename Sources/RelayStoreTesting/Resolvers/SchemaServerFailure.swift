/// The reasons why a ``SchemaServer`` could not be created.
public struct SchemaServerFailure: Error, CustomStringConvertible {
  /// The problems, one sentence each.
  public let problems: [String]

  public var description: String { problems.joined(separator: "\n") }
}
