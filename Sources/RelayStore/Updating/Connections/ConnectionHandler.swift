/// Merges the pages of a connection that a server sends into one list: `@connection`.
///
/// The list is a record of its own, `client:<parent>:__Key_connection(filters)`, which owns copies
/// of the edges and of the page's info; what the server sent stays beside it.
struct ConnectionHandler {
  private let records: ConnectionRecords

  init(_ records: ConnectionRecords) { self.records = records }

  private var session: UpdateSession { records.session }

  /// Merges the page that a payload has written.
  ///
  /// A page behind or before the list that is null takes nothing from it.
  ///
  /// - Returns: Whether the page continues the list; else it is left out.
  func merge(_ handle: FieldHandle, of owner: RecordIndex) throws -> Bool {
    let fields = try session.record(owner)
    guard fields.state == .present else { return true }
    let arguments = PageArguments(handle.arguments)
    guard let page = try records.link(handle.field, of: owner) else {
      if arguments.isFirstPage || fields[handle.key] == nil {
        try session.set(.null, handle.key, of: owner, errors: fields.errors(of: handle.field))
      }
      return true
    }
    let id = session.id(of: owner).child(storageKey: handle.storageKey)
    let index = try session.index(of: id)
    // What is linked may have been collected.
    let known = try [records.link(handle.key, of: owner), index].compactMap(\.self)
      .first { try session.record($0).state == .present }
    if let known {
      try session.set(.link(known), handle.key, of: owner)
      return try merge(page, into: known, arguments)
    }
    try session.set(.link(try start(id, with: page)), handle.key, of: owner)
    return true
  }

  /// What a page was asked with.
  private struct PageArguments {
    let after: FieldValue?
    let before: FieldValue?
    let hasLast: Bool

    init(_ arguments: JSONObject) {
      func value(_ name: String) -> FieldValue? {
        arguments[name].flatMap { $0.isNull ? nil : FieldValue($0) }
      }
      after = value("after")
      before = value("before")
      hasLast = value("last") != nil
    }

    /// Whether it starts the list anew.
    var isFirstPage: Bool { after == nil && before == nil }
    /// Whether it belongs behind the list, not before it.
    var isAtEnd: Bool { after != nil }
  }

  // MARK: The first page

  private func start(_ id: DataID, with page: RecordIndex) throws -> RecordIndex {
    let connection = try session.make(id, typeName: session.record(page).typeName)
    try session.copyFields(from: page, to: connection)
    _ = try records.copies([], for: connection)
    if let edges = try records.edges(of: page) {
      try setFirst(edges, errors(of: records.edges, in: page), of: connection, reusing: [])
    }
    let server = try records.link(records.pageInfo, of: page)
    try session.set(
      .link(try startInfo(of: connection, server)), records.pageInfo, of: connection,
      errors: errors(of: records.pageInfo, in: page))
    return connection
  }

  /// Makes a page the whole list, without edges to a node that an earlier one leads to.
  ///
  /// - Parameter known: The edges of the list from before of which the page may have some again.
  private func setFirst(
    _ page: [RecordIndex], _ errors: [StoredError], of connection: RecordIndex,
    reusing known: ArraySlice<RecordIndex>
  ) throws {
    var nodes: Set<RecordIndex> = []
    var kept: [RecordIndex] = []
    kept.reserveCapacity(page.count)
    var places: [Int: Int] = [:]
    for (place, edge) in page.enumerated() {
      if let node = try records.node(of: edge), !nodes.insert(node).inserted { continue }
      if !errors.isEmpty { places[place] = kept.count }
      kept.append(edge)
    }
    try session.set(
      .links(try records.copies(kept, for: connection, reusing: known)), records.edges,
      of: connection,
      errors: errors.map { error in
        guard case .index(let place)? = error.path.components.first, let new = places[place] else {
          return error
        }
        let rest = error.path.components.dropFirst()
        return StoredError(message: error.message, path: ResponsePath([.index(new)] + rest))
      })
  }

  private func startInfo(
    of connection: RecordIndex, _ server: RecordIndex?
  ) throws -> RecordIndex {
    let info = try session.make(
      session.id(of: connection).child(storageKey: "pageInfo"),
      typeName: server.flatMap { try session.record($0).typeName } ?? "PageInfo")
    try session.set(.bool(false), records.hasNextPage, of: info)
    try session.set(.bool(false), records.hasPreviousPage, of: info)
    try session.set(.null, records.endCursor, of: info)
    try session.set(.null, records.startCursor, of: info)
    if let server { try session.copyFields(from: server, to: info) }
    return info
  }

  // MARK: Later pages

  private func merge(
    _ page: RecordIndex, into connection: RecordIndex, _ arguments: PageArguments
  ) throws -> Bool {
    let fields = try session.record(page)
    let new = try records.edges(of: page)
    let edgeErrors = fields.errors(of: records.edges)
    if new == nil, !edgeErrors.isEmpty, !arguments.isFirstPage { return true }
    let known = try records.edges(of: connection)
    let info = try records.link(records.pageInfo, of: connection)
    let end = try arguments.isFirstPage ? nil : end(of: page, new ?? [], arguments)
    let continues = try known == nil || self.continues(info, to: end, arguments)
    try session.copyFields(
      from: page, to: connection, except: [records.edges, records.pageInfo])
    guard continues else { return false }
    if let new {
      try add(new, edgeErrors, to: known, of: connection, arguments)
    } else if fields[records.edges] != nil, known == nil || arguments.isFirstPage {
      session.forgetNodes(of: connection)
      try session.set(.null, records.edges, of: connection, errors: edgeErrors)
    }
    try mergeInfo(of: page, to: end, into: info, of: connection, arguments)
    return true
  }

  /// Adds a page's edges to a connection's list, or makes them the list.
  private func add(
    _ page: [RecordIndex], _ errors: [StoredError], to known: [RecordIndex]?,
    of connection: RecordIndex, _ arguments: PageArguments
  ) throws {
    guard let known, !arguments.isFirstPage else {
      session.forgetNodes(of: connection)
      let list = known ?? []
      return try setFirst(
        page, errors, of: connection,
        reusing: arguments.hasLast ? list.suffix(page.count) : list.prefix(page.count))
    }
    let copies = try records.copies(page, for: connection)
    // The nulls that they are of are left out: they are the list's own.
    let errors = errors.map { StoredError(message: $0.message, path: []) }
    try add(copies, errors, to: known, of: connection, atEnd: arguments.isAtEnd)
  }

  /// Whether a page lies at the end of the list that it was asked for.
  private func continues(
    _ info: RecordIndex?, to end: FieldValue?, _ arguments: PageArguments
  ) throws -> Bool {
    if arguments.isFirstPage { return true }
    guard let info = try info.map(session.record) else { return false }
    if let after = arguments.after {
      let known = info[records.endCursor]
      // The second fills out a page that is there already.
      return known == after || end != nil && known == end
    }
    return info[records.startCursor] == arguments.before
  }

  /// The cursor that the list goes on from behind a later page, or before it: what its page info says, else that of
  /// the outermost edge that has one, which is the same by the specification of cursor connections.
  private func end(
    of page: RecordIndex, _ edges: [RecordIndex], _ arguments: PageArguments
  ) throws -> FieldValue? {
    func value(_ key: FieldKey, of record: RecordIndex) throws -> FieldValue? {
      try session.record(record)[key].flatMap { $0 == .null ? nil : $0 }
    }
    let key = arguments.isAtEnd ? records.endCursor : records.startCursor
    if let info = try records.link(records.pageInfo, of: page),
      let cursor = try value(key, of: info)
    {
      return cursor
    }
    for place in edges.indices {
      let edge = edges[arguments.isAtEnd ? edges.count - 1 - place : place]
      if edge != .none, let cursor = try value(records.cursor, of: edge) { return cursor }
    }
    return nil
  }

  /// Adds a page to a connection's list: both without nulls, and without edges to a node that an
  /// earlier one leads to.
  private func add(
    _ page: [RecordIndex], _ errors: [StoredError], to known: [RecordIndex],
    of connection: RecordIndex, atEnd: Bool
  ) throws {
    var list = ConnectionEdgeIndex.List()
    let isNew: Bool
    if let remembered = session.takeNodes(of: connection, edges: known) {
      (list, isNew) = (remembered, false)
    } else {
      isNew = true
      try append(known, to: &list)
    }
    if atEnd {
      list.reserveCapacity(known.count + page.count)
      try append(page, to: &list)
    } else {
      var first = ConnectionEdgeIndex.List()
      try append(page, to: &first)
      list.prepend(first)
    }
    try session.set(.links(list.edges), records.edges, of: connection, errors: errors)
    session.keepNodes(list, new: isNew ? list.edges : page, of: connection, key: records.node)
  }

  private func append(_ edges: [RecordIndex], to list: inout ConnectionEdgeIndex.List) throws {
    for edge in edges where edge != .none { list.append(edge, to: try records.node(of: edge)) }
  }

  // MARK: The page's info

  /// Takes over what a page says of the end of the list at which it lies.
  ///
  /// - Parameter end: The cursor that the list goes on from there; `nil` where the page says none.
  private func mergeInfo(
    of page: RecordIndex, to end: FieldValue?, into info: RecordIndex?,
    of connection: RecordIndex, _ arguments: PageArguments
  ) throws {
    let errors = try errors(of: records.pageInfo, in: page)
    let pageInfo = try records.link(records.pageInfo, of: page)
    let isNew = arguments.isFirstPage && pageInfo == nil
    guard !isNew, let info, try session.record(info).state == .present else {
      // Nothing is known of the ends, or it was collected, and the connection was not.
      let info = try startInfo(of: connection, pageInfo)
      return try session.set(.link(info), records.pageInfo, of: connection, errors: errors)
    }
    try session.set(.link(info), records.pageInfo, of: connection, errors: errors)
    if arguments.isFirstPage {
      if let pageInfo { try session.copyFields(from: pageInfo, to: info) }
    } else {
      try move(info, to: end, pageInfo, arguments)
    }
  }

  /// Moves one end of the list to that of a later page.
  private func move(
    _ info: RecordIndex, to end: FieldValue?, _ pageInfo: RecordIndex?, _ arguments: PageArguments
  ) throws {
    let flag = arguments.isAtEnd ? records.hasNextPage : records.hasPreviousPage
    let cursor = arguments.isAtEnd ? records.endCursor : records.startCursor
    let known = try session.record(info)
    let page = try pageInfo.map(session.record)
    let hasMore: Bool
    if case .bool(let isSaid)? = page?[flag] {
      hasMore = isSaid
    } else {
      // It may not be the last, but where it ends where it began it would come again.
      hasMore = known[flag] == .bool(true) && end != arguments.after ?? arguments.before
    }
    try session.set(
      .bool(hasMore && end != nil), flag, of: info, errors: page?.errors(of: flag) ?? [])
    try session.set(
      end ?? known[cursor] ?? .null, cursor, of: info, errors: page?.errors(of: cursor) ?? [])
  }

  private func errors(of key: FieldKey, in record: RecordIndex) throws -> [StoredError] {
    try session.record(record).errors(of: key)
  }
}
