import RelayStore

private let followed = graphql(
  """
  fragment Followed_followed on Followed
  @argumentDefinitions(count: {type: "Int", defaultValue: 2}, cursor: {type: "String"})
  @refetchable(queryName: "FollowedPaginationQuery") {
    followers(first: $count, after: $cursor) @connection(key: "Followed_followers") {
      edges { node { id name } }
    }
  }
  query FollowedQuery { followed { id ...Followed_followed } }
  """)
