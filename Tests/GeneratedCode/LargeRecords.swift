import RelayStore

private let person = graphql(
  "query OneOfManyQuery($id: ID!) { person(id: $id) { id name age } }")

private let two = graphql(
  """
  query TwoOfManyQuery($a: ID!, $b: ID!) {
    a: person(id: $a) { name }
    b: person(id: $b) @catch { name }
    flag
  }
  """)

private let largePets = graphql(
  "query PetsOfKindQuery($kind: PetKind!) { person(id: 1) { id pets(kind: $kind) { name } } }")

private let invented = graphql(
  "query InventedQuery { animal { __typename name ... on Named { name } } }")
