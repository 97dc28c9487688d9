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
