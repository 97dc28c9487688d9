import RelayStore

private let pets = graphql(
  """
  query PetsQuery($first: Int, $kind: PetKind) {
    person(id: "p") {
      id
      few: name
      ...PetList_person @arguments(first: 1)
    }
    node(id: "p") {
      ... on Person {
        ...PetPage_person @arguments(first: $first)
        ...PetKinds_person
      }
    }
  }
  """)

private let list = graphql(
  """
  fragment PetList_person on Person
    @argumentDefinitions(first: {type: "Int", defaultValue: 2}, kind: {type: "PetKind"}) {
    pets(first: $first, kind: $kind) { name }
  }
  """)

private let page = graphql(
  """
  fragment PetPage_person on Person
    @argumentDefinitions(first: {type: "Int", defaultValue: 5}, with: {type: "Boolean!", defaultValue: true}) {
    page: pets(first: $first, kind: CAT) { name @include(if: $with) }
    ...PetCount_person @arguments(first: $first)
  }
  """)

private let count = graphql(
  """
  fragment PetCount_person on Person @argumentDefinitions(first: {type: "Int"}) {
    counted: pets(first: $first, kind: DOG) { __typename }
  }
  """)

private let kinds = graphql(
  "fragment PetKinds_person on Person { kinds: pets(kind: $kind) { name } }")
