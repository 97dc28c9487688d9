/// An operation with its variables: a value that can be compared, fetched and retained.
public protocol GraphQLOperation: Sendable, Hashable {
  /// The operation's root selection.
  associatedtype Data: GraphQLSelection
  /// What is the same for every use of the operation.
  static var __operation: OperationPlan { get }
  /// The values of its variables; what was left out is absent.
  var __variables: Variables { get }
}

extension GraphQLOperation {
  public static func == (left: Self, right: Self) -> Bool { left.__variables == right.__variables }

  public func hash(into hasher: inout Hasher) { hasher.combine(__variables) }
}

/// An operation that reads.
public protocol GraphQLQuery: GraphQLOperation {
  /// What reading its data throws.
  associatedtype __Failure: ReadFailure = Never
}

/// An operation that changes something on the server.
public protocol GraphQLMutation: GraphQLOperation {
  /// The shape of the response itself, without masking, for optimistic responses.
  associatedtype RawResponse: GraphQLSelection
}

/// An operation that is answered again and again.
public protocol GraphQLSubscription: GraphQLOperation {}

/// What generated code knows of an operation.
public struct OperationPlan: Sendable {
  /// The operation's name.
  public let name: String
  /// What the server knows the document by, where operations are persisted: the SHA-256 of its
  /// text in hexadecimal digits.
  public let id: String?
  /// The document that is sent; empty where generated code has only the id.
  public let text: String
  /// Values for variables that are absent.
  package let variableDefaults: JSONObject
  /// The selection with every fragment opened.
  public let normalization: Plan

  /// - Precondition: `variableDefaults` is a JSON object, as relay-compiler writes it.
  public init(
    name: String, id: String? = nil, text: String = "", variableDefaults: StaticString = "{}",
    normalization: Plan
  ) {
    self.name = name
    self.id = id
    self.text = text
    self.normalization = normalization
    guard
      let object = variableDefaults.withUTF8Buffer({ try? JSONValue(parsing: $0) })?.object
    else { preconditionFailure("The defaults of \(name) are no JSON; run relay-compiler again.") }
    self.variableDefaults = object
  }

  /// The variables with which the operation is stored: an absent one takes the default, an
  /// explicit null stays null.
  package func storedVariables(_ variables: Variables) -> JSONObject {
    var all = variableDefaults
    for member in variables.json.members { all[member.key] = member.value }
    return all
  }
}
