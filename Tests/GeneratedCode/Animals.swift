import RelayStore

private let animal = graphql(
  """
  query AnimalQuery($withOwner: Boolean!, $skipName: Boolean!, $deep: Boolean!) {
    animal {
      name @skip(if: $skipName)
      owner @include(if: $withOwner) { name ...PersonCard_person }
      friends { name }
      ... on Dog {
        barks
        friends { owner { age } }
        ...DogBadge_dog
      }
      ... on Named { label: name }
      ... on Node { id ... on Dog { again: barks } }
      ...CatLives_cat @include(if: $deep)
      ...AnimalName_animal
    }
    thing {
      ... on Node { id }
      ... on Person { ...PersonCard_person @include(if: $deep) }
      ... on Stone { weight @include(if: $deep) }
    }
    animals { __typename kind: __typename ...AnimalName_animal }
    node(id: "1") { id }
  }
  """)

private let dog = graphql("fragment DogBadge_dog on Dog { id barks owner { id } }")
private let cat = graphql("fragment CatLives_cat on Cat { lives name }")
private let name = graphql("fragment AnimalName_animal on Animal { name ... on Dog { barks } }")
private let card = graphql(
  """
  # A card.
  fragment PersonCard_person on Person {
    id
    name
    age @include(if: $deep)
    age @include(if: $withOwner)
    pets(first: 2) { name ...AnimalName_animal }
  }
  """)
