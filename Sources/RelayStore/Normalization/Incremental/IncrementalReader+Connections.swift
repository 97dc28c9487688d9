// Connections whose pages arrive in parts.

extension IncrementalReader {
  /// The connection that a page belongs to.
  struct Connection {
    /// The number of its record.
    let record: RecordIndex
    /// Whether the page is at the end of the connection's list rather than at its start.
    let isAtEnd: Bool
  }

  /// The connections whose list ends with a page that has pending or failed elements.
  var streamedConnections: [DataID] {
    let streams = expected.labels.indices.filter { expected.isStreamed($0) }
    return connections.filter { page, connection in
      connection.isAtEnd && streams.contains { pending[$0].contains(page) }
    }.map { records.id(of: $0.value.record) } + lists.failedConnections
  }

  /// Returns the connections whose list ends with a page that failed in this payload; after the
  /// last payload, with a page that failed in any payload.
  mutating func failedConnections(hasNext: Bool) -> [DataID] {
    if !changes.recordsOfFailedLists.isEmpty, !hasNext { addConnections() }
    let new = changes.recordsOfFailedLists.compactMap { page in
      connections[page].flatMap { $0.isAtEnd ? records.id(of: $0.record) : nil }
    }
    lists.failedConnections += new
    return hasNext ? new : lists.failedConnections
  }

  /// Adds the connections of the pages in the current payload. Observers read the records of the
  /// connections, not of the pages.
  mutating func addConnections() {
    guard expected.hasHandles else { return }
    for (owner, handle, isPart) in received.current.payload.handles
    where !isPart && handle.name == "connection" {
      guard let page = received.current.cell(handle.field, of: owner), page.kind == .link else {
        continue
      }
      let payload = received.current.payload
      let id = payload.id(of: owner).child(storageKey: handle.storageKey)
      let isBefore = ["before", "last"].contains {
        handle.arguments[$0].map { !$0.isNull } ?? false
      }
      connections[received.current.number(of: page.link, in: &records)] = Connection(
        record: records.number(of: id), isAtEnd: !isBefore)
    }
  }

  /// Reruns the handle of a connection after a part of the connection, of its page info or of one
  /// of its edges was read: the merged list has copies of all of them.
  ///
  /// - Parameter path: The path of the object that the part belongs to.
  mutating func appendHandles(of path: [ResponsePath.Component]) {
    guard expected.hasHandles else { return }
    if case .index? = path.last { return appendHandles(ofConnection: path.dropLast(2)) }
    appendHandles(ofConnection: path[...])
    appendHandles(ofConnection: path.dropLast())
  }

  private mutating func appendHandles(ofConnection path: ArraySlice<ResponsePath.Component>) {
    var path = path
    guard case .field(let key)? = path.popLast() else { return }
    let owners = received.objects(at: path)
    for owner in received.distinct(owners) {
      let plan = program.plans[owner.selection]
      if plan.handles.isEmpty { continue }
      // Fields with other response keys may have the same connection.
      let keys = received.slots(key, of: owner).map { plan.keys[$0] }
      for (_, handle) in plan.handles where keys.contains(handle.field) {
        rerun(handle, of: number(of: owner))
      }
    }
  }

  /// Runs the handle of a connection once, after all records of the payload are written.
  mutating func rerun(_ handle: FieldHandle, of record: RecordIndex) {
    guard handle.name == "connection" else { return }
    if changes.rerunHandles.insert(StreamedLists.Key(record: record, key: handle.key)).inserted {
      received.current.appendForPart(handle, of: records.id(of: record))
    }
  }
}
