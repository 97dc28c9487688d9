import RelayStore

private let update = graphql(
  """
  query UpdateQuery($kind: PetKind, $first: Int = 2) @updatable {
    person(id: "p") { id name age draft pets(kind: $kind, first: $first) { __typename name ...Assign_animal } }
    everything { kind list moment }
    animal { __typename name ... on Dog { barks owner { ...Assign_person } } }
    thing { __typename ... on Named { name } ... on Stone { weight } }
    account { friends { name ...Assign_person } owner { name ...Assign_person ...Other_person } nick }
  }
  """)

private let assignPerson = graphql("fragment Assign_person on Person @assignable { __typename }")
private let otherPerson = graphql("fragment Other_person on Person @assignable { __typename }")
private let assignAnimal = graphql("fragment Assign_animal on Animal @assignable { __typename }")
private let updatableRename = graphql(
  "fragment Rename_person on Person @updatable { __id name age }")

private let reading = graphql(
  """
  query UpdatedQuery {
    person(id: "p") { id name age draft ...Rename_person ...Assign_person pets(first: 2) { name ...Assign_animal } }
    everything { kind list moment }
    animal { name ... on Dog { barks owner { id name } } }
    thing { ... on Named { name } }
    account { id friends { id name ...Assign_person } owner { id name ...Other_person } nick }
  }
  """)
