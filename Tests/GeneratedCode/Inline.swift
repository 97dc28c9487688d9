import RelayStore

private let inline = graphql(
  """
  query InlineQuery($withBadge: Boolean!, $first: Int) @raw_response_type {
    animal {
      ...Named_animal
      ... on Dog @alias(as: "doggo") { ...Badge_dog @include(if: $withBadge) @alias(as: "badge") }
    }
    person(id: "p") {
      ...Owner_person @relay(mask: false) @arguments(first: 2)
      ...Pets_person @arguments(first: $first)
      ...Card_person @alias(as: "first")
      ...Card_person @alias(as: "second")
    }
  }
  """)

private let inlineNamed = graphql(
  "fragment Named_animal on Animal @inline { name ... on Dog { barks ...Badge_dog } }")
private let badge = graphql(
  "fragment Badge_dog on Dog @inline { id owner { name ...Card_person } }")
private let inlineCard = graphql("fragment Card_person on Person @relay(plural: true) { age }")
private let owner = graphql(
  """
  fragment Owner_person on Person @argumentDefinitions(first: {type: "Int"}) {
    name
    some: pets(first: $first) { name }
  }
  """)
private let inlinePets = graphql(
  """
  fragment Pets_person on Person @inline @argumentDefinitions(first: {type: "Int", defaultValue: 9}) {
    few: pets(first: $first) { name }
  }
  """)
