public import RelayStore

/// Values for fields without a resolver, generated from the schema, with overrides for those that a
/// test depends on.
///
///     let server = try SchemaServer(
///       schema: sdl,
///       generating: GeneratedValues()
///         .overriding("User.name", with: "Ada")
///         .overriding(
///           TodoRow_todo(id: "1", text: "Feed the cat", isComplete: false), at: "viewer.todos.0"))
///
/// Without overrides, a string is its field, `<User.name>`; an enum is its first value; an
/// interface or union is the schema's first possible type; a list has two elements. An `id` is the
/// type and the path, `User:viewer.friends.0`, or the argument `id` of the field that returned the
/// object. The same request always has the same response.
public struct GeneratedValues: Sendable {
  /// The number of elements of every list.
  public var listCount: Int
  /// The overriding values by `Type.field`, or by type.
  private(set) var values: [String: JSONValue] = [:]
  /// The overriding fields of the objects of a type, at a path or everywhere.
  private(set) var objects: [(type: String, path: String?, fields: JSONObject)] = []

  /// Creates values without overrides.
  ///
  /// - Parameter listCount: The number of elements of every list.
  public init(listCount: Int = 2) { self.listCount = listCount }

  /// Returns these values with another override.
  ///
  /// An override that could have no effect is an error when the server is made: a name that the
  /// schema does not have, a type that is not possible, a value that the field or type cannot have.
  ///
  ///     GeneratedValues()
  ///       .overriding("Node.id", with: "1")
  ///       .overriding("Actor", with: "User")
  ///
  /// - Parameters:
  ///   - name: `Type.field`, or the name of a type. A field of an interface is overridden in all of
  ///     its object types that have no override of their own.
  ///   - value: The value of the field; for a scalar or an enum type its value; for an object type
  ///     its fields; for an interface or union the name of the object type that its values have, or
  ///     an object with that name as `__typename`, and fields.
  public func overriding(_ name: String, with value: JSONValue) -> GeneratedValues {
    var result = self
    result.values[name] = value
    return result
  }

  /// Returns these values with the fields of a generated struct for objects of its type.
  ///
  /// - Parameters:
  ///   - value: A fragment, or another generated struct, that the test has created. Masked
  ///     fragments that it spreads are ignored.
  ///   - path: The path in the response, `"viewer.todos.0"`; `nil` for all objects of the type. An
  ///     object of another type at the path is not changed. A path that no response has is not an
  ///     error, because only the operations decide which paths there are.
  public func overriding(_ value: some GraphQLView, at path: String? = nil) -> GeneratedValues {
    var result = self
    let row = value.__row.storage
    result.objects.append((row.plan.typeName, path, row.fields))
    return result
  }
}

extension RowStorage {
  /// The values by field name, as resolvers return them; see ``ConnectionMember`` for connections.
  fileprivate var fields: JSONObject {
    var object: JSONObject = plan.isAbstract ? ["__typename": .string(typename)] : [:]
    for (slot, value) in zip(plan.slots, slots) {
      guard let field = slot.field, !field.isRecordID else { continue }
      if case .absent = value.value { continue }
      let json = JSONValue(fieldsOf: value)
      if field.isConnection {
        object[field.responseKey] = json
        object[ConnectionMember.key(for: field.responseKey)] = json
      } else {
        object[field.name] = json
      }
    }
    return object
  }
}

/// The member of an overriding object for a connection field, by response key.
///
/// A plan has the handle name of a connection in place of the field's name. Without an alias, the
/// response key is the field's name. With an alias, the field's name is unknown, so the server
/// finds the member by the alias.
enum ConnectionMember {
  /// Returns the member's key: the response key and a colon, so that it is no field's name.
  static func key(for responseKey: String) -> String { responseKey + ":" }
}

extension PlanField {
  /// Whether the field is a connection, which is stored under a handle name.
  fileprivate var isConnection: Bool { name.hasPrefix("__") && name.hasSuffix("_connection") }
}

extension JSONValue {
  fileprivate init(fieldsOf slot: RowSlot) {
    switch slot.value {
    case .row(let row): self = .object(row.fields)
    case .list(let list): self = .array(list.slots.map { JSONValue(fieldsOf: $0) })
    case .scalar(let value): self = value.json
    default: self.init(slot)
    }
  }
}
