import RelayStore

private let names = graphql("query FriendNamesQuery { account { id friends { id name } } }")
private let ids = graphql("query FriendIDsQuery { account { id friends { id } } }")
private let crowd = graphql(
  """
  fragment Crowd_person on Person @refetchable(queryName: "CrowdRefetchQuery") {
    friends(first: 2) { edges { node { id name } } }
  }
  query CrowdQuery { person(id: "1") { id ...Crowd_person } }
  """)
