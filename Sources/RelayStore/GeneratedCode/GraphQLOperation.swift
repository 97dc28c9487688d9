/// An operation with its variables: a value that can be compared, fetched and retained.
///
/// Generated operations are `Hashable`. The protocol does not refine `Hashable`, because each
/// struct would then need a table that is built at run time.
public protocol GraphQLOperation: Sendable {
  /// The operation's root selection.
  associatedtype Data: GraphQLView
  /// The document and plans, shared by all values of the operation.
  static var __operation: OperationPlan { get }
  /// The values of the variables, without omitted ones.
  var __variables: Variables { get }
}

extension GraphQLOperation {
  /// Returns whether two operations have equal variables.
  @_semantics("optimize.sil.specialize.generic.never")
  public static func == (left: Self, right: Self) -> Bool { left.__variables == right.__variables }

  /// Hashes the variables.
  @_semantics("optimize.sil.specialize.generic.never")
  public func hash(into hasher: inout Hasher) { hasher.combine(__variables) }

  /// The hash value of the variables.
  @_semantics("optimize.sil.specialize.generic.never")
  public var hashValue: Int { __variables.hashValue }

  /// The variables of an operation that declares none.
  public var __variables: Variables { [:] }
}

/// An operation that reads.
public protocol GraphQLQuery: GraphQLOperation {
  /// The error type that reading its data throws.
  associatedtype __Failure: ReadFailure = Never
}

/// An operation that writes, and then reads the result.
///
/// A mutation that uses schema elements with `@noPersist` conforms only to this protocol, so it
/// cannot be committed to the outbox.
public protocol GraphQLMutating: GraphQLOperation {
  /// The unmasked shape of the response, for optimistic responses.
  associatedtype RawResponse: GraphQLView
}

/// A mutation that can be persisted and therefore committed to the outbox.
public protocol GraphQLMutation: GraphQLMutating {}

/// The `RawResponse` of a mutation without one: `rawResponses` of the configuration is `marked`,
/// and the document does not have `@raw_response_type`.
public struct NoRawResponse: GraphQLView, Hashable {
  let __row: Row
}

/// A subscription, with any number of responses.
public protocol GraphQLSubscription: GraphQLOperation {}

/// The name, document and plans of an operation, created by generated code.
public final class OperationPlan: Sendable {
  /// The operation's name.
  public let name: String
  /// The id of the persisted document: its SHA-256 in hexadecimal digits.
  public let id: String?
  /// The document; empty if generated code has only the id.
  public let text: String
  /// The variables that the document declares; `nil` if unknown.
  ///
  /// Other variables are never sent: the connections that a mutation's edges are added to, and
  /// arguments of client-only fields.
  package let declaredVariables: [String]?
  /// Whether the document has `@defer` or `@stream`, so that the response may arrive in parts.
  package let isIncremental: Bool
  /// The default values of absent variables.
  package let variableDefaults: JSONObject
  /// The selection of the operation's `Data`, with spreads as references.
  public let reader: SelectionPlan
  /// The selection with all fragments expanded.
  public let normalization: SelectionPlan
  /// The hash of the document; see ``SelectionPlan/documentHash``.
  package let documentHash: UInt64

  /// Creates an operation.
  ///
  /// - Parameters:
  ///   - name: The operation's name.
  ///   - id: The id of the persisted document; see ``id``.
  ///   - text: The document; empty if generated code has only the id.
  ///   - variables: The names of the declared variables, separated by spaces, for an operation
  ///     without its document.
  ///   - variableDefaults: The default values of absent variables, as a JSON object.
  ///   - reader: The selection of the operation's `Data`, with spreads as references.
  ///   - normalization: The selection with all fragments expanded.
  /// - Precondition: `variableDefaults` is a JSON object written by relay-compiler.
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
    documentHash = normalization.documentHash
    // If all fields of a deferred fragment are also selected without it, only the document has it.
    isIncremental =
      normalization.hasDeferredParts || normalization.hasStreams
      || text.contains("@defer(label:") || text.contains("@stream(label:")
    guard
      let object = variableDefaults.withUTF8Buffer({ try? JSONValue(parsing: $0) })?.object
    else { preconditionFailure("The defaults of \(name) are not JSON; run relay-compiler again.") }
    self.variableDefaults = object
  }

  /// Creates a persisted operation.
  package init(
    stored name: String, id: String?, text: String, declaredVariables: [String]?,
    variableDefaults: JSONObject, normalization: SelectionPlan
  ) {
    self.name = name
    self.id = id
    self.text = text
    self.declaredVariables = declaredVariables
    self.variableDefaults = variableDefaults
    reader = normalization
    self.normalization = normalization
    documentHash = normalization.documentHash
    isIncremental = false
  }

  /// Creates an operation from three strings: its document and its plans.
  ///
  /// Most operations use this initializer, so that their generated code is small.
  public convenience init(
    text: StaticString, reader: StaticString, normalization: StaticString
  ) {
    self.init(text: text, reader: reader, normalization: normalization, leaves: [:])
  }

  /// Creates an operation from three strings and the Swift types of its leaves.
  public convenience init(
    text: StaticString, reader: StaticString, normalization: StaticString,
    leaves: [String: any GraphQLInput.Type]
  ) {
    let reader = SelectionPlan(reader, leaves: leaves)
    self.init(
      name: reader.owner, text: text.description, reader: reader,
      normalization: SelectionPlan(normalization, leaves: leaves))
  }

  /// Returns the variables to send: the ones that the document declares.
  func sentVariables(_ variables: Variables) -> (json: JSONObject, uploads: [VariableUpload]) {
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

  /// Returns the variables that the operation is written to the store with: an absent variable
  /// takes its default; an explicit null is preserved.
  func storedVariables(_ variables: Variables) -> JSONObject {
    if variableDefaults.isEmpty { return variables.json }
    var all = variableDefaults
    for member in variables.json.members { all[member.key] = member.value }
    return all
  }
}
