/// One end of a connection's list.
enum PageDirection: Hashable, Sendable {
  case next, previous
}

/// A page at one end of a connection.
struct PageKey: Hashable {
  let connection: DataID
  let direction: PageDirection
}
