import RelayStore

private let circle = graphql(
  """
  query CircleQuery($id: ID!) { person(id: $id) { ...Circle_person } }
  fragment Circle_person on Person
  @argumentDefinitions(count: {type: "Int", defaultValue: 2}, cursor: {type: "String"})
  @refetchable(queryName: "CirclePageQuery") {
    followers(first: $count, after: $cursor) @connection(key: "Circle_followers") {
      __id
      links: edges { __typename who: node { id name } }
    }
  }
  mutation WelcomeMutation($id: ID!, $name: String!, $lists: [ID!]!, $edge: String!) {
    rename(id: $id, name: $name) {
      person @appendNode(connections: $lists, edgeTypeName: $edge) { name }
    }
  }
  """)

private let windows = graphql(
  """
  query WindowQuery($id: ID!, $count: Int!, $after: String) {
    person(id: $id) {
      followers(first: $count, after: $after)
      @connection(key: "Window_followers", filters: ["first", "after"]) {
        __id
        edges { node { name } }
      }
    }
  }
  mutation WindowMutation($lists: [ID!]!) {
    follow { edge @appendEdge(connections: $lists) { node { name } } }
  }
  """)

private let unlabelled = graphql(
  "query UnlabelledQuery($id: ID!) { person(id: $id) { name ...Circle_person @defer } }")
