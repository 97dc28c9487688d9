/// The format of 2022: `incremental` lists the parts of a payload, each with `path`, `label`, and
/// `data` or `items`.
///
/// Source: GraphQL working group, RFC "Incremental Delivery", second draft; graphql-js 17 before
/// alpha 3, Apollo Router.
enum IncrementalDecoder2022: IncrementalDecoder {
  static func takeEvents(from members: inout PayloadMembers) throws -> [PartEvent] {
    let entries = members.incremental.filter { $0.part.id == nil }
    members.incremental.removeAll { $0.part.id == nil }
    return try entries.map { try $0.event() }
  }
}
