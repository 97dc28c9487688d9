/// The server's ids of objects that were created on the client, by the ids that the client made.
package struct ServerIDs: Sendable, Equatable {
  package var ids: [String: String] = [:]

  package init() {}

  package var isEmpty: Bool { ids.isEmpty }

  package subscript(id: DataID) -> DataID? { self[id.rawValue].map { DataID($0) } }

  /// The server's form of an id; `nil` if there is no other. A record below the object, such as its
  /// list of a connection, has an id that begins with the object's.
  private subscript(id: String) -> String? {
    if let serverID = ids[id] { return serverID }
    let prefix = "client:local:".utf8
    guard id.utf8.starts(with: prefix),
      let end = id.utf8.dropFirst(prefix.count).firstIndex(of: UInt8(ascii: ":")),
      let serverID = ids[String(id[..<end])]
    else { return nil }
    return (DataID(serverID).isClientID ? "" : "client:") + serverID + id[end...]
  }

  package mutating func formUnion(_ other: ServerIDs) { ids.merge(other.ids) { $1 } }

  /// Whether a string is an id from ``ClientID/unique()``.
  package static func isClientMade(_ text: String) -> Bool {
    text.utf8.starts(with: "client:local:".utf8) && text.utf8.contains(UInt8(ascii: "-"))
  }

  /// Adds the id that the server has given to an object, which may be the client's.
  ///
  /// Ignores any other id that only a client makes: it could name the root, or lead back to the
  /// object.
  package mutating func add(_ serverID: String, for id: String) {
    guard Self.isClientMade(id), !serverID.isEmpty,
      serverID == id || !DataID(serverID).isClientID
    else { return }
    ids[id] = serverID
  }

  /// Returns a value with the server's ids instead of the client's.
  package func replacing(in value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): self[text].map(JSONValue.string) ?? value
    case .array(let values): .array(values.map { replacing(in: $0) })
    case .object(let object): .object(replacing(in: object))
    default: value
    }
  }

  package func replacing(in object: JSONObject) -> JSONObject {
    JSONObject(object.members.map { ($0.key, replacing(in: $0.value)) })
  }
}

extension JSONValue {
  /// All strings in the value that are not keys of objects.
  package var strings: Set<String> {
    var strings: Set<String> = []
    forEachValue { if case .string(let text) = $0 { strings.insert(text) } }
    return strings
  }

  /// Calls a closure with this value and all values in it.
  package func forEachValue(_ body: (JSONValue) -> Void) {
    var pending = [self]
    while let value = pending.popLast() {
      body(value)
      switch value {
      case .array(let values): pending += values
      case .object(let object): pending += object.members.map(\.value)
      default: break
      }
    }
  }
}

// MARK: Records

/// Records that were created on the client. Once the server has responded, its record is read in
/// their place: under the client's id, and through links to it.
extension LayeredSource {
  /// Returns the index of the record to read for an index.
  @inline(__always)
  package func resolved(_ index: RecordIndex) -> RecordIndex {
    serverIDs.isEmpty ? index : serverIndex(of: index) ?? index
  }

  private func serverIndex(of index: RecordIndex) -> RecordIndex? {
    guard self[index].state == .unknown, let id = id(of: index), let serverID = serverIDs[id]
    else { return nil }
    return self.index(of: serverID)
  }

  /// Returns the server's id for an id; the id itself if there is no other.
  func resolved(_ id: DataID) -> DataID { serverIDs.isEmpty ? id : serverIDs[id] ?? id }

  /// Adds ids that the server has given, and moves the fields that local updates have written to
  /// the server's records.
  mutating func identify(_ new: ServerIDs) {
    serverIDs.formUnion(new)
    for (id, serverID) in new.ids {
      guard let index = index(of: DataID(id)) else { continue }
      moveFields(of: index, to: intern(DataID(serverID)), named: serverID)
      changedInBase.insert(index)
    }
  }

  private mutating func moveFields(of index: RecordIndex, to target: RecordIndex, named id: String)
  {
    let record = self[base: index]
    guard record.state == .present, index != target else { return }
    if self[base: target].state == .unknown { make(target, typeName: record.typeName, in: .base) }
    let (known, idKey) = (Array(self[base: target].keys), keys.intern("id"))
    update(target, in: .base) { draft in
      let isChanged = draft.copyFields(from: record, except: known)
      if record[idKey] != nil, !known.contains(idKey) { _ = draft.set(idKey, to: .string(id)) }
      return isChanged
    }
    markClientWritten([target: Set(record.keys).subtracting(known)])
    setRecord(record.box.withID { .unknown(id: $0) }, at: index, in: .base)
  }
}
