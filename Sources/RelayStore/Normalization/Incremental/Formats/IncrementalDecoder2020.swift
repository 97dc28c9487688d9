/// The format of 2020: every part is a payload with `path`, `label`, and `data` or `items` at the
/// top.
///
/// Source: GraphQL working group, RFC "Incremental Delivery", first draft; graphql-js 15 and 16.
enum IncrementalDecoder2020: IncrementalDecoder {
  static func takeEvents(from members: inout PayloadMembers) throws -> [PartEvent] {
    var top = members.top
    members.top = PayloadMembers.Entry()
    guard top.part.path != nil else {
      try top.items?.skip()
      return []
    }
    (top.data, top.part.errors) = (members.data, members.errors)
    (members.data, members.errors) = (nil, [])
    return [try top.event()]
  }
}
