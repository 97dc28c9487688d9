/// Says what the value of a field is that the store has never been told, where the program knows:
/// `user(id: "4")` is the record "4".
///
///     RecordStore.Configuration(missingFieldHandlers: [
///       .linked { field in
///         guard field.name == "user", let id = field.arguments["id"]?.string else { return .none }
///         return .some(DataID(id))
///       }
///     ])
///
/// Readers and ``RelayEnvironment/check(_:)`` ask the handlers in order until one answers with
/// something else than `.none`. A link to a record that the store does not have is no answer. They are
/// called while the store is held: they must not call the environment.
public enum MissingFieldHandler: Sendable {
  /// For fields with a scalar, or a list of them.
  case scalar(@Sendable (MissingField) -> GraphQLNullable<JSONValue>)
  /// For fields that link to one record.
  case linked(@Sendable (MissingField) -> GraphQLNullable<DataID>)
  /// For fields that link to a list of records.
  case pluralLinked(@Sendable (MissingField) -> GraphQLNullable<[DataID]>)
}

/// A field that was not found in the store.
public struct MissingField {
  /// The field's name in the schema.
  public let name: String
  /// Its arguments, variables replaced by their values.
  public let arguments: JSONObject
  /// The key under which it would be stored.
  public let storageKey: String
  /// The record that should have it.
  public let parentID: DataID
  /// That record's type, where it is known.
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

  /// Whether the store has a record.
  public func isPresent(_ id: DataID) -> Bool { index(of: id) != nil }

  package func index(of id: DataID) -> RecordIndex? {
    source.index(of: id).flatMap { source[$0].state == .present ? $0 : nil }
  }
}
