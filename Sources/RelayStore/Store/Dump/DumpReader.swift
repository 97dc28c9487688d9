/// A parser of dumps; see ``RecordStore/init(dump:configuration:)``.
struct DumpReader {
  private(set) var source: LayeredSource

  /// Parses a dump and writes its records to the base of `source`.
  ///
  /// - Throws: ``RelayError`` with code `dump`, the problem and its path.
  init(_ text: String, into source: LayeredSource) throws {
    self.source = source
    let json: JSONValue
    do {
      json = try JSONValue(inDump: Array(text.utf8))
    } catch let error as RelayError {
      throw RelayError(.dump, "The dump is not JSON: \(error.message)")
    }
    guard let records = json.object else {
      throw RelayError(.dump, "The dump is not an object of records by id.")
    }
    for member in records.members {
      try restore(member.value, id: DataID(member.key))
    }
  }

  private func dumpError(_ text: String, id: DataID, key: String? = nil) -> RelayError {
    let path = [id.rawValue] + (key.map { [$0] } ?? [])
    return RelayError(
      .dump, "The dump has \(text).", path: ResponsePath(path.map { .field($0) }))
  }

  // MARK: Records

  private mutating func restore(_ json: JSONValue, id: DataID) throws {
    let index = source.intern(id)
    if json.isNull {
      if id == .root { throw dumpError("a deleted root", id: id) }
      return source.delete(index, in: .base)
    }
    guard let object = json.object else {
      throw dumpError("a record that is neither an object nor null", id: id)
    }
    if let own = object["__id"], own.string.map({ DataID($0) }) != id {
      throw dumpError("a record whose \"__id\" is not its key", id: id, key: "__id")
    }
    if let epoch = object["__invalidated_at"] {
      guard let epoch = epoch.int, epoch >= 0 else {
        throw dumpError("an epoch that is not a number", id: id, key: "__invalidated_at")
      }
      source.observers.invalidations.restore(index, at: UInt64(epoch))
    }
    let typeName = object["__typename"]
    if let typeName, typeName.string == nil {
      throw dumpError("a type name that is not a string", id: id, key: "__typename")
    }
    var errors = try object["__errors"].map { try self.errors($0, id: id) } ?? [:]
    var fields: [RecordPayload.Field] = []
    for member in object.members where !FieldKey.reservedNames.contains(member.key) {
      let value = try value(member.value, id: id, key: member.key)
      let key = source.keys.intern(member.key)
      fields.append(
        .init(key: key, value: value, errors: errors.removeValue(forKey: member.key) ?? []))
    }
    if let stray = errors.keys.sorted().first {
      throw dumpError("errors of a field that the record does not have", id: id, key: stray)
    }
    source.make(index, typeName: typeName?.string, in: .base)
    source.update(index, in: .base) { draft in
      for field in fields { _ = draft.set(field.key, to: field.value, errors: field.errors) }
      return true
    }
    // A dump does not say which fields a response has written.
    source.markClientWritten([index: Set(fields.map(\.key))])
  }

  private func errors(_ json: JSONValue, id: DataID) throws -> [String: [StoredError]] {
    func wrongTypeError() -> RelayError {
      dumpError("errors in an unknown format", id: id, key: "__errors")
    }
    guard let object = json.object else { throw wrongTypeError() }
    var all: [String: [StoredError]] = [:]
    for member in object.members {
      guard let list = member.value.array else { throw wrongTypeError() }
      all[member.key] = try list.map { error in
        guard let message = error["message"]?.string else { throw wrongTypeError() }
        // Relay also writes errors without a path.
        let path: [JSONValue]? =
          if let path = error["path"], !path.isNull { path.array } else { [] }
        guard let path else { throw wrongTypeError() }
        let components = try path.map { step in
          guard let component = step.pathComponent else { throw wrongTypeError() }
          return component
        }
        return StoredError(message: message, path: ResponsePath(components))
      }
    }
    return all
  }

  // MARK: Values

  private mutating func value(_ json: JSONValue, id: DataID, key: String, depth: Int = 0) throws
    -> FieldValue
  {
    if let object = json.object {
      guard object.count == 1, let member = object.members.first else { return .object(object) }
      switch member.key {
      case "__ref":
        guard let target = member.value.string else {
          throw dumpError("a link that is not an id", id: id, key: key)
        }
        return .link(source.intern(DataID(target)))
      case "__refs": return try links(member.value, id: id, key: key)
      case "__json":
        if depth >= FieldValue.listDepthLimit, let elements = member.value.array {
          return .array(elements)
        }
        return FieldValue(member.value)
      default: return .object(object)
      }
    }
    guard let elements = json.array else { return FieldValue(json) }
    if depth >= FieldValue.listDepthLimit { return .array(elements) }
    var values: [FieldValue] = []
    for element in elements {
      values.append(try value(element, id: id, key: key, depth: depth + 1))
    }
    return .list(values)
  }

  private mutating func links(_ json: JSONValue, id: DataID, key: String, depth: Int = 0) throws
    -> FieldValue
  {
    guard let elements = json.array else {
      throw dumpError("a list of links that is not a list", id: id, key: key)
    }
    var links: [RecordIndex] = []
    for element in elements {
      if element.isNull {
        links.append(.none)
      } else if let target = element.string {
        links.append(source.intern(DataID(target)))
      } else if element.array != nil {
        if depth >= FieldValue.listDepthLimit {
          throw dumpError("lists of links too deep", id: id, key: key)
        }
        return try nestedLinks(elements, id: id, key: key, depth: depth + 1)
      } else {
        throw dumpError("a link that is not an id", id: id, key: key)
      }
    }
    return .links(links)
  }

  /// Parses a list of lists of links, in relay-runtime's format.
  private mutating func nestedLinks(
    _ elements: [JSONValue], id: DataID, key: String, depth: Int
  ) throws -> FieldValue {
    var values: [FieldValue] = []
    for element in elements {
      values.append(element.isNull ? .null : try links(element, id: id, key: key, depth: depth))
    }
    return .list(values)
  }
}
