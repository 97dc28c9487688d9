import RelayStore

private let derived = graphql(
  """
  fragment Title_person on Person { name draft }
  fragment PetNames_person on Person { title pets { ... on Named { name } } }
  fragment Score_person on Person { age }
  query TitleQuery($id: ID!) { person(id: $id) { id title } }
  query PetNamesQuery($id: ID!) { person(id: $id) { petNames ...Badge_person } }
  fragment Badge_person on Person { title }
  query ScoresQuery($id: ID!) { person(id: $id) { followers(first: 2) { edges { node { score } } } } }
  query ScoreQuery($id: ID!) { person(id: $id) { score } }
  """)
