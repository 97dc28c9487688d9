/// The handler of `@connection`, which merges the pages of a connection into one list.
///
/// The list has its own record, `client:<parent>:__Key_connection(filters)`, with copies of the
/// edges and of the page info. The server's records do not change.
struct ConnectionHandler {
  private let records: ConnectionRecords

  init(_ records: ConnectionRecords) { self.records = records }

  private var session: UpdateSession { records.session }

  /// Merges the page that a payload wrote.
  ///
  /// A later page that is null does not change the list.
  ///
  /// - Parameter isPart: Whether the payload wrote only a part of a page and earlier payloads wrote
  ///   the rest.
  /// - Returns: `false` if the page does not continue the list, so its edges are not merged.
  func merge(
    _ handle: FieldHandle, of owner: RecordIndex, isPart: Bool = false
  ) throws -> Bool {
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
    // The linked connection may have been collected.
    let existing = try [records.link(handle.key, of: owner), index].compactMap(\.self)
      .first { try session.record($0).state == .present }
    if let existing {
      try session.set(.link(existing), handle.key, of: owner)
      if isPart, try complete(existing, with: page, arguments: arguments) { return true }
      return try merge(page, into: existing, arguments: arguments, isPart: isPart)
    }
    try session.set(.link(try start(id, with: page)), handle.key, of: owner)
    return true
  }

  /// The pagination arguments of a page.
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

    /// Whether the page replaces the list.
    var isFirstPage: Bool { after == nil && before == nil }
    /// Whether the page is appended to the list rather than prepended.
    var isAtEnd: Bool { after != nil }
  }

  // MARK: The first page

  /// Creates a connection whose list is a page.
  private func start(_ id: DataID, with page: RecordIndex) throws -> RecordIndex {
    let connection = try session.make(id, typeName: session.record(page).typeName)
    try session.copyFields(from: page, to: connection)
    _ = try records.copies([], for: connection)
    if let edges = try records.edges(of: page) {
      try replaceList(
        with: edges, errors: errors(of: records.edges, in: page), of: connection, reusing: [])
    }
    let server = try records.link(records.pageInfo, of: page)
    try session.set(
      .link(try startInfo(of: connection, copying: server)), records.pageInfo, of: connection,
      errors: errors(of: records.pageInfo, in: page))
    return connection
  }

  /// Replaces the list with a page, omitting edges to the node of an earlier edge.
  ///
  /// - Parameters:
  ///   - oldEdges: Edges of the previous list that may be reused for the same nodes.
  ///   - isPart: Whether the previous list may be the same page before a part of it arrived.
  private func replaceList(
    with page: [RecordIndex], errors: [StoredError], of connection: RecordIndex,
    reusing oldEdges: ArraySlice<RecordIndex>, isPart: Bool = false
  ) throws {
    var nodes: Set<RecordIndex> = []
    var kept: [RecordIndex] = []
    kept.reserveCapacity(page.count)
    var keptPositions: [Int: Int] = [:]
    for (position, edge) in page.enumerated() {
      if let node = try records.node(of: edge), !nodes.insert(node).inserted { continue }
      if !errors.isEmpty { keptPositions[position] = kept.count }
      kept.append(edge)
    }
    let old = try records.matches(of: kept, in: oldEdges, isPart: isPart)
    try session.set(
      .links(try records.copies(kept, for: connection, reusing: old)), records.edges,
      of: connection,
      errors: errors.map { error in
        guard case .index(let position)? = error.path.components.first,
          let new = keptPositions[position]
        else { return error }
        let rest = error.path.components.dropFirst()
        return StoredError(message: error.message, path: ResponsePath([.index(new)] + rest))
      })
  }

  /// Creates a connection's page info from a page's.
  private func startInfo(
    of connection: RecordIndex, copying server: RecordIndex?
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

  // MARK: Parts of pages

  /// Completes a page that was merged before with a new part: copies the part's fields and inserts
  /// its edges next to the page's other edges.
  ///
  /// - Returns: `false` if the caller must merge the page as usual: it is the first page and the
  ///   list has only its edges, or the page or the list has no edges.
  private func complete(
    _ connection: RecordIndex, with page: RecordIndex, arguments: PageArguments
  ) throws -> Bool {
    guard var list = try records.edges(of: connection), let new = try records.edges(of: page) else {
      return false
    }
    var nodes: Set<RecordIndex> = []
    let unique = try new.filter { edge in
      guard edge != .none else { return false }
      guard let node = try records.node(of: edge) else { return arguments.isFirstPage }
      return nodes.insert(node).inserted
    }
    let old = try records.matches(
      of: unique, in: list, isPart: true, onFirstPage: arguments.isFirstPage)
    let ofPage = Set(old.compactMap(\.self))
    let isOfPage = list.map { $0 == .none || ofPage.contains($0) }
    if arguments.isFirstPage, !isOfPage.contains(false) { return false }
    let copies = try records.copies(unique, for: connection, reusing: old)
    let present = Set(list)
    let last = isOfPage.lastIndex(of: true).map { $0 + 1 }
    list.insert(
      contentsOf: copies.filter { !present.contains($0) },
      at: last ?? (arguments.isFirstPage || arguments.isAtEnd ? list.count : 0))
    let fields = [records.edges, records.pageInfo]
    try session.copyFields(from: page, to: connection, except: fields)
    session.invalidateEdgeList(of: connection)
    try session.set(.links(list), records.edges, of: connection)
    let end =
      try arguments.isFirstPage ? nil : end(of: page, edges: new, arguments: arguments)
    try mergeInfo(
      of: page, to: end, into: try records.link(records.pageInfo, of: connection), of: connection,
      arguments: arguments)
    return true
  }

  // MARK: Later pages

  private func merge(
    _ page: RecordIndex, into connection: RecordIndex, arguments: PageArguments, isPart: Bool
  ) throws -> Bool {
    let fields = try session.record(page)
    let new = try records.edges(of: page)
    let edgeErrors = fields.errors(of: records.edges)
    if new == nil, !edgeErrors.isEmpty, !arguments.isFirstPage { return true }
    let edges = try records.edges(of: connection)
    let info = try records.link(records.pageInfo, of: connection)
    let end =
      try arguments.isFirstPage ? nil : end(of: page, edges: new ?? [], arguments: arguments)
    let continues = try edges == nil || self.continues(info, to: end, arguments: arguments)
    try session.copyFields(
      from: page, to: connection, except: [records.edges, records.pageInfo])
    guard continues else { return false }
    if let new {
      try mergeEdges(
        new, errors: edgeErrors, into: edges, of: connection, arguments: arguments, isPart: isPart)
    } else if fields[records.edges] != nil, edges == nil || arguments.isFirstPage {
      session.invalidateEdgeList(of: connection)
      try session.set(.null, records.edges, of: connection, errors: edgeErrors)
    }
    try mergeInfo(of: page, to: end, into: info, of: connection, arguments: arguments)
    return true
  }

  /// Appends or prepends a page's edges to a connection's list, or replaces the list.
  private func mergeEdges(
    _ page: [RecordIndex], errors: [StoredError], into edges: [RecordIndex]?,
    of connection: RecordIndex, arguments: PageArguments, isPart: Bool
  ) throws {
    guard let edges, !arguments.isFirstPage else {
      session.invalidateEdgeList(of: connection)
      let list = edges ?? []
      return try replaceList(
        with: page, errors: errors, of: connection,
        reusing: arguments.hasLast ? list.suffix(page.count) : list.prefix(page.count),
        isPart: isPart)
    }
    let copies = try records.copies(page, for: connection)
    // The list omits the null edges that the errors explain, so the errors apply to the list
    // itself.
    let errors = errors.map { StoredError(message: $0.message, path: []) }
    try extendList(
      edges, with: copies, errors: errors, of: connection, atEnd: arguments.isAtEnd)
  }

  /// Returns whether a page was requested from the current end of the list.
  private func continues(
    _ info: RecordIndex?, to end: FieldValue?, arguments: PageArguments
  ) throws -> Bool {
    if arguments.isFirstPage { return true }
    guard let info = try info.map(session.record) else { return false }
    if let after = arguments.after {
      let listEnd = info[records.endCursor]
      // Equal ends mean that the page was merged before. Merging it again completes its fields.
      return listEnd == after || end != nil && listEnd == end
    }
    return info[records.startCursor] == arguments.before
  }

  /// Returns the cursor to continue the list from after a later page. It comes from the page info,
  /// otherwise from the outermost edge with a cursor. The cursor connections specification makes
  /// both the same.
  private func end(
    of page: RecordIndex, edges: [RecordIndex], arguments: PageArguments
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
    for offset in edges.indices {
      let edge = edges[arguments.isAtEnd ? edges.count - 1 - offset : offset]
      if edge != .none, let cursor = try value(records.cursor, of: edge) { return cursor }
    }
    return nil
  }

  /// Appends or prepends a page to a connection's list. Omits null edges, and edges to the node of
  /// an earlier edge, from both.
  private func extendList(
    _ edges: [RecordIndex], with page: [RecordIndex], errors: [StoredError],
    of connection: RecordIndex, atEnd: Bool
  ) throws {
    var list = ConnectionEdgeIndex.List()
    let isNew: Bool
    if let indexed = session.removeEdgeList(of: connection, edges: edges) {
      (list, isNew) = (indexed, false)
    } else {
      isNew = true
      try append(edges, to: &list)
    }
    if atEnd {
      list.reserveCapacity(edges.count + page.count)
      try append(page, to: &list)
    } else {
      var first = ConnectionEdgeIndex.List()
      try append(page, to: &first)
      list.prepend(first)
    }
    try session.set(.links(list.edges), records.edges, of: connection, errors: errors)
    session.setEdgeList(
      list, newEdges: isNew ? list.edges : page, of: connection, key: records.node)
  }

  private func append(_ edges: [RecordIndex], to list: inout ConnectionEdgeIndex.List) throws {
    for edge in edges where edge != .none { list.append(edge, to: try records.node(of: edge)) }
  }

  // MARK: Page info

  /// Merges a page's page info into the connection's.
  ///
  /// - Parameter end: The cursor to continue the list from after the page; `nil` if the page has
  ///   none.
  private func mergeInfo(
    of page: RecordIndex, to end: FieldValue?, into info: RecordIndex?,
    of connection: RecordIndex, arguments: PageArguments
  ) throws {
    let errors = try errors(of: records.pageInfo, in: page)
    let pageInfo = try records.link(records.pageInfo, of: page)
    let isNew = arguments.isFirstPage && pageInfo == nil
    guard !isNew, let info, try session.record(info).state == .present else {
      // The ends are unknown, or the page info was collected and the connection was not.
      let info = try startInfo(of: connection, copying: pageInfo)
      return try session.set(.link(info), records.pageInfo, of: connection, errors: errors)
    }
    try session.set(.link(info), records.pageInfo, of: connection, errors: errors)
    if arguments.isFirstPage {
      if let pageInfo { try session.copyFields(from: pageInfo, to: info) }
    } else {
      try moveEnd(of: info, to: end, pageInfo: pageInfo, arguments: arguments)
    }
  }

  /// Moves one end of the list to the end of a later page.
  private func moveEnd(
    of info: RecordIndex, to end: FieldValue?, pageInfo: RecordIndex?,
    arguments: PageArguments
  ) throws {
    let flag = arguments.isAtEnd ? records.hasNextPage : records.hasPreviousPage
    let cursor = arguments.isAtEnd ? records.endCursor : records.startCursor
    let old = try session.record(info)
    let page = try pageInfo.map(session.record)
    let hasMore: Bool
    if case .bool(let flagValue)? = page?[flag] {
      hasMore = flagValue
    } else {
      // The page may not be the last one. But a page that ends at the cursor it was requested from
      // would be requested forever, so it counts as the last.
      hasMore = old[flag] == .bool(true) && end != arguments.after ?? arguments.before
    }
    try session.set(
      .bool(hasMore && end != nil), flag, of: info, errors: page?.errors(of: flag) ?? [])
    try session.set(
      end ?? old[cursor] ?? .null, cursor, of: info, errors: page?.errors(of: cursor) ?? [])
  }

  private func errors(of key: FieldKey, in record: RecordIndex) throws -> [StoredError] {
    try session.record(record).errors(of: key)
  }
}
