import RelayStore

private let caughtPages = graphql(
  """
  fragment CaughtFollowers_person on Person {
    id
    followers(first: 2) @connection(key: "CaughtFollowers_followers") @catch {
      edges { node { id } }
    }
  }
  query CaughtFollowersQuery($id: ID!) { person(id: $id) { ...CaughtFollowers_person } }
  """)

private let strictPages = graphql(
  """
  fragment StrictFollowers_person on Person @throwOnFieldError {
    id
    followers(first: 2) @connection(key: "StrictFollowers_followers") {
      edges { node { id } }
    }
  }
  query StrictFollowersQuery($id: ID!) { person(id: $id) { ...StrictFollowers_person } }
  """)
