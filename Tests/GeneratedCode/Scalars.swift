import RelayStore

private let everything = graphql(
  """
  query Everything {
    everything {
      string int float boolean id moment uuid kind error task list matrix holes kinds
      self init default description hashValue hash fragments Row Type _row
      in { in { in { int } } }
      asDog customMirror old
      __row: string
      String: int
      class: boolean
      hostile(text: "\\"\\u200D \\\\(x) \\u0301 \\"# \\r\\n */ é")
    }
  }
  """)

private let filtered = graphql(
  #"""
  query Things($filter: Filter = {kind: GUINEA_PIG, names: ["a\"b"], nested: {kind: self}}, $choice: Choice,
      $kind: PetKind = CAT, $at: [Moment!] = ["now"], $self: Int! = 3, $Data: ID! = 7) {
    things(filter: $filter, choice: $choice, at: $at) { ... on Stone { weight } }
    person(id: $Data) { pets(kind: $kind, first: $self) { name } }
    literal: things(filter: {names: ["x"], kind: DOG, limit: 1}) { __typename }
  }
  """#)

private let ping = graphql("query PingQuery($ping: Ping) { ping(ping: $ping) }")

private let prices = graphql(
  "query PricesQuery($limit: Money) { price(limit: $limit) prices flag }")

/// An amount that a server sends as `"12.34"`.
public struct Cents: CustomScalar {
  public var cents: Int

  public init(cents: Int) { self.cents = cents }

  public init(json: JSONValue) throws {
    let parts = json.string?.split(separator: ".").compactMap { Int($0) } ?? []
    guard parts.count == 2 else { throw NotCents() }
    cents = parts[0] * 100 + parts[1]
  }

  public var json: JSONValue { .string("\(cents / 100).\(cents % 100)") }

  private struct NotCents: Error {}
}

/// An integer of any length, sent with its quotes or without them.
public struct BigInteger: CustomScalar {
  public var digits: String

  public init(json: JSONValue) throws {
    guard let digits = json.numeric?.digits, digits.allSatisfy({ "-0123456789".contains($0) })
    else { throw NotAnInteger() }
    self.digits = digits
  }

  public var json: JSONValue { .string(digits) }

  private struct NotAnInteger: Error {}
}
