import RelayStore

private let followers = graphql(
  """
  fragment Followers_person on Person
  @argumentDefinitions(count: {type: "Int", defaultValue: 2}, cursor: {type: "String"})
  @refetchable(queryName: "FollowersPaginationQuery") {
    followers(first: $count, after: $cursor, by: NAME) @connection(key: "Followers_followers") {
      __id
      edges { node { id ...Follower_person } }
    }
  }
  fragment Follower_person on Person { name }
  """)

private let screen = graphql(
  "query FollowersQuery($id: ID!) { person(id: $id) { name ...Followers_person } }")

private let follow = graphql(
  """
  mutation Follow($connections: [ID!]!) {
    follow { edge @prependEdge(connections: $connections) { node { ...Follower_person } } }
  }
  mutation Unfollow($connections: [ID!]!) {
    unfollow { person @deleteEdge(connections: $connections) gone @deleteRecord }
  }
  """)

private let countries = graphql(
  """
  query CountriesQuery { countries { name } place { ... on Country { name } ... on Person { name } } }
  """)

private let deferred = graphql(
  """
  query DeferredQuery($id: ID!, $late: Boolean! = true) {
    person(id: $id) { name ...Late_person @defer(label: "late", if: $late) }
  }
  fragment Late_person on Person { age pets { ...Late_animal } }
  fragment Late_animal on Animal { ... on Named { called: name } }
  """)

private let twoLists = graphql(
  """
  query TwoListsQuery($id: ID!) { person(id: $id) { ...Recent_person ...Known_person } }
  fragment Recent_person on Person {
    followers(first: 2) @connection(key: "Recent_followers") { __id edges { node { name } } }
  }
  fragment Known_person on Person {
    followers(first: 2) @connection(key: "Known_followers") { __id edges { node { name } } }
  }
  mutation FollowInTwo($recent: [ID!]!, $known: [ID!]!) {
    follow {
      edge @appendEdge(connections: $recent) { cursor }
      edge @appendEdge(connections: $known) { node { name } }
    }
  }
  """)
