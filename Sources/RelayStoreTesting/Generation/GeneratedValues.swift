public import RelayStore

/// Values for the fields that nobody answers, made from the schema, with those that a test cares about put in their places.
///
///     let server = try SchemaServer(
///       schema: sdl,
///       generating: GeneratedValues()
///         .overriding("User.name", with: "Ada")
///         .overriding(TodoRow_todo(id: "1", text: "Feed the cat", isComplete: false), at: "viewer.todos.0"))
///
/// Without overrides a string is its field, `<User.name>`; an enum is its first value, an interface or union
/// the first of its types, a list has two elements, an `id` is the type and the place, `User:viewer.friends.0`, or what
/// the field above was asked for with an argument `id`. The same request has the same answer each time.
public struct GeneratedValues: Sendable {
  /// How many elements lists have.
  public var listCount: Int
  /// By `Type.field`, or by type.
  private(set) var values: [String: JSONValue] = [:]
  /// What objects of a type have, at a place or everywhere.
  private(set) var objects: [(type: String, path: String?, fields: JSONObject)] = []

  /// - Parameter listCount: How many elements lists have.
  public init(listCount: Int = 2) { self.listCount = listCount }

  /// The same with another value.
  ///
  /// - Parameters:
  ///   - name: `Type.field`; or a type: of a scalar or an enum the value, of an object the fields, and `__typename` for an
  ///     interface or union.
  public func overriding(_ name: String, with value: JSONValue) -> GeneratedValues {
    var result = self
    result.values[name] = value
    return result
  }

  /// The same with the fields of a struct for objects of its type.
  ///
  /// - Parameters:
  ///   - value: A fragment, or another generated struct, built by hand. What it spreads masked takes no part.
  ///   - path: The place in the response, `"viewer.todos.0"`; `nil` for all objects of the type.
  public func overriding(_ value: some GraphQLView, at path: String? = nil) -> GeneratedValues {
    var result = self
    let row = value.__row.storage
    result.objects.append((row.plan.typeName, path, row.fields))
    return result
  }
}

extension RowStorage {
  /// The values by the names of the fields, as resolvers give them.
  fileprivate var fields: JSONObject {
    var object: JSONObject = plan.isAbstract ? ["__typename": .string(typename)] : [:]
    for (slot, value) in zip(plan.slots, slots) {
      guard let field = slot.field, !field.isRecordID else { continue }
      if case .absent = value.value { continue }
      // The list of a connection is read under a name of the store's.
      object[field.handleName ?? field.name] = JSONValue(fieldsOf: value)
    }
    return object
  }
}

extension PlanField {
  /// The field's name where it is a connection's list.
  fileprivate var handleName: String? {
    name.hasPrefix("__") && name.hasSuffix("_connection") ? responseKey : nil
  }
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
