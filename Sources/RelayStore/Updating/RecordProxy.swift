/// One record, as an updater reads and writes it.
///
/// Fields are named as in the schema, with their arguments; aliases do not matter. A proxy is valid
/// only inside its updater and throws afterwards.
public struct RecordProxy {
  let session: UpdateSession
  let index: RecordIndex
  /// The record's identity.
  public let id: DataID

  init(session: UpdateSession, index: RecordIndex) {
    self.session = session
    self.index = index
    id = session.id(of: index)
  }

  /// The object's type; `nil` until a response has included it.
  public var typeName: String? {
    get throws { try session.record(index).typeName }
  }

  // MARK: Scalars

  /// Returns the value of a scalar field: `.null` for null, `nil` if it was never written.
  ///
  /// - Throws: ``RelayError`` with code `update` if the field is a link.
  public func getValue(_ field: String, arguments: JSONObject = [:]) throws -> JSONValue? {
    guard let value = try session.record(index)[session.key(field, arguments)] else { return nil }
    guard let json = value.json else { throw misuse(field, "is a link; use getLinkedRecord") }
    return json
  }

  /// Writes a scalar field with any input value: a number, a string, an enum, a custom scalar, or
  /// an array of these. An omitted value (`GraphQLNullable.none`) does not change the field.
  public func setValue(
    _ value: some GraphQLInput, for field: String, arguments: JSONObject = [:]
  ) throws {
    guard let json = value.__json else { return }
    try setValue(json, for: field, arguments: arguments)
  }

  /// Writes a scalar field.
  ///
  /// - Throws: ``RelayError`` with code `update` for `__id`, `__typename`, `__errors` and
  ///   `__invalidated_at`, which are not fields. Also if the field is a link, or its type does not
  ///   fit the value; only fields that a definition used by the environment selects from the
  ///   record's type are checked for this. If a custom scalar rejects the value, its error is the
  ///   `underlying` error.
  public func setValue(_ value: JSONValue, for field: String, arguments: JSONObject = [:]) throws {
    try write(FieldValue(value), to: field, arguments: arguments)
  }

  // MARK: Links

  /// Returns the record that a field links to; `nil` for null, for a deleted or unknown record, and
  /// if the field was never written.
  ///
  /// - Throws: ``RelayError`` with code `update` if the field is a scalar or a list.
  public func getLinkedRecord(_ field: String, arguments: JSONObject = [:]) throws -> RecordProxy? {
    try linkedRecord(at: session.key(field, arguments), named: field)
  }

  /// Returns the record that a field links to.
  ///
  /// - Parameter field: The name of the field, for errors.
  func linkedRecord(at key: FieldKey, named field: String) throws -> RecordProxy? {
    switch try session.record(index)[key] {
    case nil, .null: return nil
    case .link(let index): return try proxy(index)
    default: throw misuse(field, "is not a link to one record")
    }
  }

  /// Links a field to a record, or to null.
  ///
  /// - Throws: ``RelayError`` with code `update` if the proxy belongs to another updater, or if the
  ///   field is not a link to one record according to a definition in use.
  public func setLinkedRecord(
    _ record: RecordProxy?, for field: String, arguments: JSONObject = [:]
  ) throws {
    let value = try record.map { FieldValue.link(try link($0)) } ?? .null
    try write(value, to: field, arguments: arguments)
  }

  /// Returns the record that a field links to, creating it if necessary.
  public func getOrCreateLinkedRecord(
    _ field: String, type: String, arguments: JSONObject = [:]
  ) throws -> RecordProxy {
    if let record = try getLinkedRecord(field, arguments: arguments) { return record }
    let key = StorageKey.text(name: field, arguments: arguments)
    let child = id.child(storageKey: key)
    let index = try session.index(of: child)
    if try session.record(index).state != .present {
      _ = try session.create(child, typeName: type)
    }
    let record = RecordProxy(session: session, index: index)
    try setLinkedRecord(record, for: field, arguments: arguments)
    return record
  }

  /// Returns the records that a field links to, with `nil` for null and for a deleted or unknown
  /// record. Returns `nil` if the field is null or was never written.
  ///
  /// - Throws: ``RelayError`` with code `update` if the field is a scalar or a single link.
  public func getLinkedRecords(_ field: String, arguments: JSONObject = [:]) throws
    -> [RecordProxy?]?
  {
    try linkedRecords(at: session.key(field, arguments), named: field)
  }

  /// Returns the records that a field links to.
  ///
  /// - Parameter field: The name of the field, for errors.
  func linkedRecords(at key: FieldKey, named field: String) throws -> [RecordProxy?]? {
    switch try session.record(index)[key] {
    case nil, .null: return nil
    case .links(let links): return try links.map { $0 == .none ? nil : try proxy($0) }
    // Without a link, a list of nulls has the form of a list of scalars.
    case .list(let values) where values.allSatisfy({ $0 == .null }): return values.map { _ in nil }
    default: throw misuse(field, "is not a list of links")
    }
  }

  /// Links a field to records.
  ///
  /// - Throws: ``RelayError`` with code `update` if a proxy belongs to another updater, or if the
  ///   field is not a list of links according to a definition in use.
  public func setLinkedRecords(
    _ records: [RecordProxy?], for field: String, arguments: JSONObject = [:]
  ) throws {
    let links = try records.map { try $0.map(link) ?? .none }
    try write(.links(links), to: field, arguments: arguments)
  }

  func link(_ record: RecordProxy) throws -> RecordIndex {
    guard record.session === session else {
      throw RelayError(.update, "Record \"\(record.id)\" belongs to another updater.")
    }
    return record.index
  }

  private func proxy(_ index: RecordIndex) throws -> RecordProxy? {
    try session.record(index).state == .present
      ? RecordProxy(session: session, index: index) : nil
  }

  private func write(_ value: FieldValue, to field: String, arguments: JSONObject) throws {
    let key = try session.writableKey(field, arguments)
    let check = try session.check(value, writtenTo: field, key: key, of: index)
    if case .refused(let reason, let underlying) = check {
      var failure = misuse(field, reason)
      failure.underlying = underlying
      throw failure
    }
    try session.set(value, key, of: index)
  }

  func misuse(_ field: String, _ problem: String) -> RelayError {
    RelayError(.update, "Field \"\(field)\" of record \"\(id)\" \(problem).")
  }
}
