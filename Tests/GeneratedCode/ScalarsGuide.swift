import RelayStore

// Swift code of Docs/Reference/Fragments.md; a test compares them.

private let search = graphql("query SearchQuery($search: Search) { search(search: $search) }")

/// A place that a server sends as `{"lat": 52.5, "lng": 13.4}`, or as `[52.5, 13.4]`.
public struct Coordinates: CustomScalar {
  public var latitude: Double
  public var longitude: Double

  public init(json: JSONValue) throws {
    latitude = try Double(json: json["lat"] ?? json[0] ?? .null)
    longitude = try Double(json: json["lng"] ?? json[1] ?? .null)
  }

  public var json: JSONValue {
    ["lat": .number(JSONNumber(latitude)), "lng": .number(JSONNumber(longitude))]
  }
}

func searches(for kind: PetKind?) -> [Search] {
  [
    Search(kind: .none),  // left out: the server's default, or no change
    Search(kind: nil),  // left out, too
    Search(kind: .null),  // an explicit null
    Search(kind: .some(.dog)),
    Search(names: ["Rex", "Ada"], limit: 10),  // literals are values
    Search(kind: kind ?? .null),  // the optional's value, or null
    Search(kind: GraphQLNullable(kind, ifNil: .none)),  // … or left out
  ]
}

func isSent(_ search: Search) -> Bool { search.kind.unwrapped != nil }

func literals() -> String {
  let ratio: GraphQLNullable<Double> = 1.5
  let count: GraphQLNullable<Double> = 3
  let tags: GraphQLNullable<[String]> = ["a", "b"]
  let extra: GraphQLNullable<JSONValue> = ["page": 1]
  let computed = GraphQLNullable(tags.unwrapped?.count ?? 0)
  return "\(ratio) \(count) \(tags) \(extra) \(computed)"
}

func raise(_ environment: RelayEnvironment, _ id: DataID, by amount: Cents) throws {
  try environment.commitUpdate { store in
    try store[id]?.setValue(amount, for: "price")
    try store[id]?.setValue(3, for: "limit")
    try store[id]?.setValue(["new"], for: "tags")
  }
}
