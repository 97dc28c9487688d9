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
  /// - Returns: Whether the page continues the list; else it is left out.
  func merge(_ handle: FieldHandle, of owner: RecordIndex) throws -> Bool {
    guard try session.record(owner).state == .present else { return true }
    guard let page = try records.link(handle.field, of: owner) else {
      try session.set(.null, handle.key, of: owner)
      return true
    }
    let id = session.id(of: owner).child(storageKey: handle.storageKey)
    let index = try session.index(of: id)
    // What is linked may have been collected.
    let known = try [records.link(handle.key, of: owner), index].compactMap(\.self)
      .first { try session.record($0).state == .present }
    if let known {
      try session.set(.link(known), handle.key, of: owner)
      return try merge(page, into: known, PageArguments(handle.arguments))
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
  }

  // MARK: The first page

  private func start(_ id: DataID, with page: RecordIndex) throws -> RecordIndex {
    let connection = try session.make(id, typeName: session.record(page).typeName)
    try session.copyFields(from: page, to: connection)
    if let edges = try records.edges(of: page) {
      try session.set(
        .links(try records.copies(edges, for: connection)), records.edges, of: connection)
    } else {
      _ = try records.copies([], for: connection)
    }
    let server = try records.link(records.pageInfo, of: page)
    try session.set(.link(try startInfo(of: connection, server)), records.pageInfo, of: connection)
    return connection
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
    let known = try records.edges(of: connection)
    let info = try records.link(records.pageInfo, of: connection)
    let pageInfo = try records.link(records.pageInfo, of: page)
    let new = try records.edges(of: page)
    let continues =
      try known == nil || new == nil
      || self.continues(info, with: pageInfo, arguments)
    try session.copyFields(from: page, to: connection)
    if let known { try session.set(.links(known), records.edges, of: connection) }
    if let info { try session.set(.link(info), records.pageInfo, of: connection) }
    guard continues else { return false }
    if let new {
      let copies = try records.copies(new, for: connection)
      if let known, !arguments.isFirstPage {
        try add(copies, to: known, of: connection, atEnd: arguments.after != nil)
      } else {
        session.forgetNodes(of: connection)
        try session.set(.links(copies), records.edges, of: connection)
      }
    }
    guard let info, let pageInfo else { return true }
    if try session.record(info).state == .present {
      try mergeInfo(pageInfo, into: info, arguments)
    } else {
      // It was collected, and the connection was not.
      try session.set(
        .link(try startInfo(of: connection, pageInfo)), records.pageInfo, of: connection)
    }
    return true
  }

  /// Whether a page lies at the end of the list that it was asked for.
  private func continues(
    _ info: RecordIndex?, with pageInfo: RecordIndex?, _ arguments: PageArguments
  ) throws -> Bool {
    if arguments.isFirstPage { return true }
    guard let info = try info.map(session.record) else { return false }
    if let after = arguments.after {
      let page = try pageInfo.map(session.record)
      let end = info[records.endCursor] ?? .null
      // The second fills out a page that is there already.
      return end == after || end == page?[records.endCursor] ?? .null
    }
    return info[records.startCursor] == arguments.before
  }

  /// Adds a page to a connection's list: both without nulls, and without edges to a node that an
  /// earlier one leads to.
  private func add(
    _ page: [RecordIndex], to known: [RecordIndex], of connection: RecordIndex, atEnd: Bool
  ) throws {
    var list: ConnectionLists.List
    var isNew = true
    if let taken = session.takeNodes(of: connection, edges: known) {
      list = taken
      isNew = try !extend(&list, by: page, atEnd: atEnd)
    } else {
      list = .init(edges: [], nodes: [])
    }
    if isNew {
      list = .init(edges: [], nodes: [])
      list.edges.reserveCapacity(known.count + page.count)
      try append(atEnd ? known : page, to: &list)
      try append(atEnd ? page : known, to: &list)
    }
    try session.set(.links(list.edges), records.edges, of: connection)
    session.keepNodes(list, new: isNew ? list.edges : page, of: connection, key: records.node)
  }

  /// Adds a page to a list whose nodes are known.
  ///
  /// - Returns: Whether it could; not where an edge of the list itself has to go.
  /// - Complexity: O(*n*) in the page, but for copying the list.
  private func extend(
    _ list: inout ConnectionLists.List, by page: [RecordIndex], atEnd: Bool
  ) throws -> Bool {
    let known = list.edges
    list.edges = []
    list.edges.reserveCapacity(known.count + page.count)
    if atEnd {
      list.edges += known
      try append(page, to: &list)
      return true
    }
    var first = ConnectionLists.List(edges: [], nodes: [])
    try append(page, to: &first)
    guard first.nodes.isDisjoint(with: list.nodes) else { return false }
    list.edges += first.edges
    list.edges += known
    list.nodes.formUnion(first.nodes)
    return true
  }

  private func append(_ edges: [RecordIndex], to list: inout ConnectionLists.List) throws {
    for edge in edges where edge != .none {
      if let node = try records.node(of: edge), !list.nodes.insert(node).inserted { continue }
      list.edges.append(edge)
    }
  }

  /// Takes over what a page says of the end of the list at which it lies.
  private func mergeInfo(
    _ page: RecordIndex, into info: RecordIndex, _ arguments: PageArguments
  ) throws {
    if arguments.isFirstPage { return try session.copyFields(from: page, to: info) }
    let fields = try session.record(page)
    let isBackward = arguments.before != nil || (arguments.after == nil && arguments.hasLast)
    let hasMore = isBackward ? records.hasPreviousPage : records.hasNextPage
    let cursor = isBackward ? records.startCursor : records.endCursor
    try session.set(.bool(fields[hasMore] == .bool(true)), hasMore, of: info)
    if let value = fields[cursor], value != .null { try session.set(value, cursor, of: info) }
  }
}
