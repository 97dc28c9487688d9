public import RelayStore

/// Values for fields without a resolver, generated from the schema. A test overrides the values
/// that it depends on.
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
/// type and the path, `User:viewer.friends.0`, or the `id` argument of the field that returned the
/// object. Equal requests always have equal responses.
public struct GeneratedValues: Sendable {
  /// The number of elements of every list.
  public var listCount: Int
  /// The overriding values by `Type.field`, or by type.
  private(set) var values: [String: JSONValue] = [:]
  /// The overriding fields of a type's objects, at a path or everywhere.
  private(set) var objects: [(type: String, path: String?, fields: JSONObject)] = []

  /// Creates values without overrides.
  ///
  /// - Parameter listCount: The number of elements of every list.
  public init(listCount: Int = 2) { self.listCount = listCount }

  /// Returns these values with another override.
  ///
  /// Creating the server fails for an override without any possible effect: a name that is not in
  /// the schema, an impossible type, or a value that the field or type cannot have.
  ///
  ///     GeneratedValues()
  ///       .overriding("Node.id", with: "1")
  ///       .overriding("Actor", with: "User")
  ///
  /// - Parameters:
  ///   - name: `Type.field`, or the name of a type. An interface's field is overridden in all of
  ///     its object types without their own override.
  ///   - value: For `Type.field`, the field's value. For a scalar or enum type, its value. For an
  ///     object type, its fields. For an interface or union, the name of the concrete object type,
  ///     or an object with that name as `__typename` and with fields.
  public func overriding(_ name: String, with value: JSONValue) -> GeneratedValues {
    var result = self
    result.values[name] = value
    return result
  }

  /// Returns these values with the fields of a generated struct for objects of its type.
  ///
  /// - Parameters:
  ///   - value: A fragment or another generated struct that the test has created. Masked fragments
  ///     that it spreads are ignored.
  ///   - path: The path in the response, `"viewer.todos.0"`; `nil` for all objects of the type. An
  ///     object of another type at the path is unchanged. A path that does not occur in any
  ///     response is not an error, because only the operations determine the paths.
  public func overriding(_ value: some GraphQLView, at path: String? = nil) -> GeneratedValues {
    var result = self
    let row = value.__row.box
    result.objects.append((row.plan.typeName, path, row.fields))
    return result
  }
}

extension RowBox {
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
/// A plan has a connection's handle name instead of the field's name. Without an alias, the
/// response key is the field's name. With an alias, the field's name is unknown, so the server
/// finds the member by the alias.
enum ConnectionMember {
  /// Returns the member's key: the response key and a colon, so that it never equals a field's
  /// name.
  static func key(for responseKey: String) -> String { responseKey + ":" }
}

extension PlanField {
  /// Whether the field is a connection with a handle name.
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
