/// A function that supplies a field's value when the store does not have it: `user(id: "4")` is the
/// record "4".
///
///     RecordStore.Configuration(missingFieldHandlers: [.lookup("user", "product")])
///
/// `node(id:)` needs no handler: a store looks up the id by itself, after its handlers.
///
/// Readers and ``RelayEnvironment/check(_:)`` ask the handlers in order, until one returns
/// something other than `.none`. A link to a record that the store does not have counts as `.none`.
///
/// Handlers run while the store reads, on several threads at once, and sometimes while it is locked.
/// So they must not call the environment.
public enum MissingFieldHandler: Sendable {
  /// A handler for scalar fields and lists of scalars.
  case scalar(@Sendable (MissingField) -> GraphQLNullable<JSONValue>)
  /// A handler for fields that link to one record.
  case linked(@Sendable (MissingField) -> GraphQLNullable<DataID>)
  /// A handler for fields that link to a list of records.
  case pluralLinked(@Sendable (MissingField) -> GraphQLNullable<[DataID]>)

  /// Returns a handler for fields of the query that look an object up by its id.
  ///
  /// - Parameters:
  ///   - fields: The names of the fields, such as `user`.
  ///   - argument: The name of the argument with the id.
  public static func lookup(
    _ fields: String..., by argument: String = "id"
  ) -> MissingFieldHandler {
    let names = Set(fields)
    return .linked { field in
      guard field.parentID == .root, names.contains(field.name),
        let id = field.arguments[argument]?.string
      else { return .none }
      return .some(DataID(id))
    }
  }

  /// The handler that every store has.
  static let node = lookup("node")
}

/// A field that was not found in the store.
public struct MissingField {
  /// The name of the field in the schema.
  public let name: String
  /// The arguments, with variables replaced by their values.
  public let arguments: JSONObject
  /// The field's storage key.
  public let storageKey: String
  /// The id of the record with the missing field.
  public let parentID: DataID
  /// The record's type; `nil` if the store does not have the record.
  public let parentTypeName: String?
  let source: LayeredSource
  let parent: Record

  package init(
    name: String, arguments: JSONObject, storageKey: String, of index: RecordIndex,
    in source: LayeredSource
  ) {
    self.name = name
    self.arguments = arguments
    self.storageKey = storageKey
    self.source = source
    parent = source[index]
    parentID = source.id(of: index) ?? .root
    parentTypeName = parent.typeName
  }

  /// Returns whether the store has a record.
  public func isPresent(_ id: DataID) -> Bool { index(of: id) != nil }

  /// Returns the index of a record that is present or deleted.
  func knownIndex(of id: DataID) -> RecordIndex? {
    source.index(of: source.resolved(id)).flatMap { source[$0].state == .unknown ? nil : $0 }
  }

  package func index(of id: DataID) -> RecordIndex? {
    source.index(of: source.resolved(id)).flatMap { source[$0].state == .present ? $0 : nil }
  }
}
