/// An operation with its variables: a value that can be compared, fetched and retained.
///
/// Generated operations are `Hashable`; the protocol does not say so, because each struct would
/// need a table that is built at run time.
public protocol GraphQLOperation: Sendable {
  /// The operation's root selection.
  associatedtype Data: GraphQLView
  /// What is the same for every use of the operation.
  static var __operation: OperationPlan { get }
  /// The values of its variables; what was left out is absent.
  var __variables: Variables { get }
}

extension GraphQLOperation {
  @_semantics("optimize.sil.specialize.generic.never")
  public static func == (left: Self, right: Self) -> Bool { left.__variables == right.__variables }

  @_semantics("optimize.sil.specialize.generic.never")
  public func hash(into hasher: inout Hasher) { hasher.combine(__variables) }

  @_semantics("optimize.sil.specialize.generic.never")
  public var hashValue: Int { __variables.hashValue }

  /// What an operation without variables has.
  public var __variables: Variables { [:] }
}

/// An operation that reads.
public protocol GraphQLQuery: GraphQLOperation {
  /// What reading its data throws.
  associatedtype __Failure: ReadFailure = Never
}

/// An operation that changes something on the server.
public protocol GraphQLMutation: GraphQLOperation {
  /// The shape of the response itself, without masking, for optimistic responses.
  associatedtype RawResponse: GraphQLView
}

/// The `RawResponse` of a mutation that has none, because `rawResponses` of the configuration is `marked` and the document
/// does not say `@raw_response_type`.
public struct NoRawResponse: GraphQLView, Hashable {
  let __row: Row
}

/// An operation that is answered again and again.
public protocol GraphQLSubscription: GraphQLOperation {}

/// What generated code knows of an operation.
public final class OperationPlan: Sendable {
  /// The operation's name.
  public let name: String
  /// What the server knows the document by, where operations are persisted: the SHA-256 of its
  /// text in hexadecimal digits.
  public let id: String?
  /// The document that is sent; empty where generated code has only the id.
  public let text: String
  /// The variables that the document declares; `nil` where that is not known.
  ///
  /// Others have to do with the client alone: the connections that a mutation's edges go to, arguments of the client's fields.
  package let declaredVariables: [String]?
  /// Values for variables that are absent.
  package let variableDefaults: JSONObject
  /// The selection of its `Data`, with spreads as references.
  public let reader: SelectionPlan
  /// The selection with every fragment opened.
  public let normalization: SelectionPlan

  /// - Parameter variables: The names of those that the document declares, with spaces between them, where there is no
  ///   text that says so.
  /// - Precondition: `variableDefaults` is a JSON object, as relay-compiler writes it.
  public init(
    name: String, id: String? = nil, text: String = "", variables: StaticString? = nil,
    variableDefaults: StaticString = "{}", reader: SelectionPlan, normalization: SelectionPlan
  ) {
    declaredVariables =
      variables.map { $0.description.split(separator: " ").map(String.init) }
      ?? DeclaredVariables.names(in: text)
    self.name = name
    self.id = id
    self.text = text
    self.reader = reader
    self.normalization = normalization
    guard
      let object = variableDefaults.withUTF8Buffer({ try? JSONValue(parsing: $0) })?.object
    else { preconditionFailure("The defaults of \(name) are no JSON; run relay-compiler again.") }
    self.variableDefaults = object
  }

  /// An operation that needs no more than three texts: its document, and its plans.
  ///
  /// Most operations do; generated code has little to do for them.
  public convenience init(
    text: StaticString, reader: StaticString, normalization: StaticString
  ) {
    let reader = SelectionPlan(reader)
    self.init(
      name: reader.owner, text: text.description, reader: reader,
      normalization: SelectionPlan(normalization))
  }

  /// What of the variables is sent: those that the document declares.
  package func sentVariables(_ variables: Variables) -> (json: JSONObject, uploads: [UploadPart]) {
    guard let declaredVariables else { return (variables.json, variables.uploads) }
    let members = variables.json.members.filter { member in
      declaredVariables.contains { $0.hasSameBytes(as: member.key) }
    }
    if members.count == variables.json.count { return (variables.json, variables.uploads) }
    return (
      JSONObject(members.map { ($0.key, $0.value) }),
      variables.uploads.filter { $0.path.first.map(declaredVariables.contains) ?? true }
    )
  }

  /// The variables with which the operation is stored: an absent one takes the default, an
  /// explicit null stays null.
  package func storedVariables(_ variables: Variables) -> JSONObject {
    if variableDefaults.isEmpty { return variables.json }
    var all = variableDefaults
    for member in variables.json.members { all[member.key] = member.value }
    return all
  }
}
