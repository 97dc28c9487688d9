/// Why a ``SchemaServer`` could not be made.
public struct SchemaServerFailure: Error, CustomStringConvertible {
  /// What is wrong, one sentence each.
  public let problems: [String]

  public var description: String { problems.joined(separator: "\n") }
}
