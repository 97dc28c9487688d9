import RelayStore
import SeededRandom

/// A transport that responds with pages of items.
struct FeedTransport: Transport {
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    await Task.yield()
    try Task.checkCancellation()
    var random = SeededGenerator(seed: UInt64(request.variables["page"]?.int ?? 0))
    return GraphQLResponse(json: ["data": Self.data(&random)])
  }

  static func data(_ random: inout SeededGenerator) -> JSONValue {
    let feed = (0..<Int.random(in: 0..<6, using: &random)).map { _ -> JSONValue in
      var item = item(&random)
      item["friend"] = Bool.random(using: &random) ? .object(self.item(&random)) : .null
      return .object(item)
    }
    return ["feed": .array(feed)]
  }

  private static func item(_ random: inout SeededGenerator) -> JSONObject {
    let number = Int.random(in: 0..<1_000, using: &random)
    let id = Stress.ids[Int.random(in: 0..<Stress.ids.count, using: &random)]
    return [
      "id": .string(id.rawValue), "label": .string(ItemInvariant.label(number)),
      "number": .number(JSONNumber(number)),
    ]
  }
}
