/// The format of 2023 and later. `pending` announces parts with an `id`. `incremental` refers to
/// the id, with a `subPath` below the announced path. `completed` ends a part.
///
/// Source: GraphQL working group, RFC "Incremental Delivery", third draft; graphql-js 17.
enum IncrementalDecoder2023: IncrementalDecoder {
  static func takeEvents(from members: inout PayloadMembers) throws -> [PartEvent] {
    let (pending, entries, completed) = (members.pending, members.incremental, members.completed)
    (members.pending, members.incremental, members.completed) = (nil, [], [])
    return try (pending.map { [.announce($0)] } ?? []) + entries.map { try $0.event() } + completed
  }
}
