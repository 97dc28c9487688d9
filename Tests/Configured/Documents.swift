import RelayStore

private let people = graphql(
  """
  query MeQuery { me { name ...Friends_person ...Named_node } }
  fragment Friends_person on Person
  @argumentDefinitions(count: {type: "Int", defaultValue: 2}, cursor: {type: "String"})
  @refetchable(queryName: "FriendsPageQuery") {
    born
    friends(first: $count, after: $cursor) @connection(key: "Friends_friends") {
      edges { node { name } }
    }
  }
  fragment Named_node on Node @refetchable(queryName: "NamedQuery") {
    ... on Person { name Backend }
  }
  """)

private let parcels = graphql(
  """
  query InboxQuery { inbox { ...Weight_parcel } }
  fragment Weight_parcel on Parcel @refetchable(queryName: "WeightQuery") {
    weight
    ... on Tube { length }
  }
  """)

private let hidden = graphql(
  """
  query BackendOfQuery($Backend: Moment) {
    Backend(Backend: $Backend)
    me { Backend born ...Named_node }
    inbox { ... on Tube { length } }
  }
  """)

private let mutations = graphql(
  """
  mutation RenameMutation($id: ID!, $name: String!) { rename(global_id: $id, name: $name) { name } }
  mutation EnterMutation($code: String!) { enter(code: $code) { name } }
  mutation MarkedRenameMutation($id: ID!, $name: String!) @raw_response_type {
    rename(global_id: $id, name: $name) { ...Named_node }
  }
  """)
