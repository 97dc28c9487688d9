import RelayStore

private let rename = graphql(
  """
  mutation Rename($id: ID!, $name: String!) {
    rename(id: $id, name: $name) { ok person { name ...NameOnly_person } }
  }
  """)

private let nameOnly = graphql("fragment NameOnly_person on Person { age pets { name } }")

private let adopt = graphql(
  """
  mutation AdoptMutation($animal: ID!) {
    adopt(animal: $animal) { name ... on Dog { barks } ... on Cat { lives } }
    setThing { ... on Node { id } ... on Stone { weight } ... on Dog { name } }
  }
  """)

private let changed = graphql(
  "subscription PersonChanged($id: ID!) { personChanged(id: $id) { name } }")

private let owned = graphql(
  """
  mutation OwnedMutation {
    setThing { ... on Animal { owner { name } } ... on Owned { owner { age } } }
  }
  """)
