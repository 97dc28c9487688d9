/// A type whose values can be sent as a variable or as a field of an input object.
public protocol GraphQLInput: Sendable {
  /// The value as JSON, or `nil` to omit it.
  var __json: JSONValue? { get }
  /// The files in the value, with their paths. Empty by default.
  var __uploads: [VariableUpload] { get }
}

extension GraphQLInput {
  public var __uploads: [VariableUpload] { [] }
}

extension JSONObject: GraphQLInput {
  public var __json: JSONValue? { .object(self) }
}

/// A custom scalar that is an object. Keys are sent in byte order; a member that is `.none` is
/// omitted.
extension Dictionary: GraphQLInput where Key == String, Value: GraphQLInput {
  public var __json: JSONValue? {
    let members = sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return .object(
      JSONObject(members.compactMap { member in member.value.__json.map { (member.key, $0) } }))
  }
}

extension Array: GraphQLInput where Element: GraphQLInput {
  public var __json: JSONValue? { .array(map { $0.__json ?? .null }) }

  public var __uploads: [VariableUpload] {
    enumerated().flatMap { position, element in
      element.__uploads.map { $0.below("\(position)") }
    }
  }
}

extension Optional: GraphQLInput where Wrapped: GraphQLInput {
  /// The value as JSON, with null for `nil`: an element of a list of nullable values.
  public var __json: JSONValue? { self?.__json ?? .null }

  public var __uploads: [VariableUpload] { self?.__uploads ?? [] }
}

extension GraphQLNullable: GraphQLInput where Wrapped: GraphQLInput {
  public var __json: JSONValue? {
    switch self {
    case .none: nil
    case .null: .null
    case .some(let value): value.__json
    }
  }

  public var __uploads: [VariableUpload] { unwrapped?.__uploads ?? [] }
}

/// The values of an operation's variables, or of an input object's fields, in order.
///
/// Variables are written as a dictionary literal of inputs. An input that is `.none` is omitted.
public struct Variables: Sendable {
  private let box: Box

  package init(json: JSONObject) {
    box = Box(json: json, uploads: [], inputs: [])
  }

  package var json: JSONObject { box.json }

  /// The files in the values.
  package var uploads: [VariableUpload] { box.uploads }

  /// The Swift values with their names, in the order of the literal that created these variables.
  var inputs: [(name: String, value: any GraphQLInput)] { box.inputs }

  /// Returns the value at a position of the literal that created these variables.
  ///
  /// Only generated operations use this subscript. Their initializers write the literal with these
  /// types.
  ///
  /// - Precondition: The literal has a value of type `Value` at `position`.
  @_semantics("optimize.sil.specialize.generic.never")
  public subscript<Value: GraphQLInput>(position: Int) -> Value {
    guard box.inputs.indices.contains(position),
      let value = box.inputs[position].value as? Value
    else {
      preconditionFailure(
        "Variable \(position) is not of type \(Value.self); run relay-compiler again.")
    }
    return value
  }

  /// The contents, boxed in one reference. Operations store only their variables, so copying an
  /// operation costs one retain.
  private final class Box: Sendable {
    let json: JSONObject
    let uploads: [VariableUpload]
    let inputs: [(name: String, value: any GraphQLInput)]

    init(
      json: JSONObject, uploads: [VariableUpload], inputs: [(name: String, value: any GraphQLInput)]
    ) {
      self.json = json
      self.uploads = uploads
      self.inputs = inputs
    }
  }
}

extension Variables: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, any GraphQLInput)...) {
    var json: JSONObject = [:]
    var uploads: [VariableUpload] = []
    for (name, value) in elements {
      json[name] = value.__json
      uploads += value.__uploads.map { $0.below(name) }
    }
    box = Box(json: json, uploads: uploads, inputs: elements.map { ($0.0, $0.1) })
  }
}

extension Variables: Hashable {
  public static func == (left: Variables, right: Variables) -> Bool {
    left.box === right.box || (left.json == right.json && left.uploads == right.uploads)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

/// An input object type, generated as a struct with a memberwise initializer.
public protocol GraphQLInputObject: GraphQLInput, Hashable {
  /// The fields that are not omitted.
  var __fields: Variables { get }
}

extension GraphQLInputObject {
  public var __json: JSONValue? { .object(__fields.json) }

  public var __uploads: [VariableUpload] { __fields.uploads }

  public static func == (left: Self, right: Self) -> Bool { left.__fields == right.__fields }

  public func hash(into hasher: inout Hasher) { hasher.combine(__fields) }
}

/// A `@oneOf` input type with deprecated fields.
///
/// Generated code must name the deprecated fields, and Swift warns about that except inside a
/// deprecated declaration. Conforming types therefore declare `__deprecatedFields` as deprecated,
/// and this protocol's extension calls it.
public protocol GraphQLDeprecatedChoices: GraphQLInputObject {
  /// The field, if it is deprecated.
  var __deprecatedFields: Variables { get }
}

extension GraphQLDeprecatedChoices {
  /// The field, if it is deprecated.
  public var __fieldsOfDeprecated: Variables { __deprecatedFields }
}
