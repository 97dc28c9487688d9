import RelayStore

private let shelf = graphql(
  "query ShelfQuery { shelf { title books { title mark marks { ink } ...Cover_book } } }")

private let cover = graphql("fragment Cover_book on Book { title author { name } mark }")

private let main = graphql(
  """
  query MainQuery { main { title books { author { name } } } }
  query SealQuery { main { books { seal { ink } } } }
  query CaughtMainQuery @catch(to: NULL) { main { title } }
  query ThrownMainQuery @throwOnFieldError { main { title } }
  query RequiredShelfQuery { shelf @required(action: NONE) { title } }
  query BoxesQuery { shelf { title boxes { title } maybe { title } pages { edges { node { title } } } } }
  fragment Strict_shelf on Shelf @throwOnFieldError { books { title } }
  mutation BurnMutation($id: ID!) { burn(id: $id) { gone @deleteRecord } }
  """)
