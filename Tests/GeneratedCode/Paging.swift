import RelayStore

private let friends = graphql(
  """
  fragment Friends_person on Person
  @argumentDefinitions(
    count: {type: "Int", defaultValue: 2}, cursor: {type: "String"}
    last: {type: "Int"}, before: {type: "String"}, order: {type: "Order"}
  )
  @refetchable(queryName: "FriendsPaginationQuery") {
    followers(first: $count, after: $cursor, last: $last, before: $before, by: $order)
    @connection(key: "Friends_followers") {
      edges { node { id name } }
    }
  }
  """)

private let allFriends = graphql(
  """
  fragment AllFriends_person on Person
  @argumentDefinitions(count: {type: "Int"}, cursor: {type: "String"})
  @refetchable(queryName: "AllFriendsPaginationQuery") {
    followers(first: $count, after: $cursor) @connection(key: "AllFriends_followers") {
      edges { node { id name } }
    }
  }
  """)

private let allFriendsScreen = graphql(
  "query AllFriendsQuery($id: ID!) { person(id: $id) { ...AllFriends_person } }")

private let aliasedFriends = graphql(
  """
  fragment AliasedFriends_person on Person {
    friends: followers(first: 2) @connection(key: "AliasedFriends_friends") {
      edges { node { id name } }
    }
  }
  """)

private let aliasedFriendsScreen = graphql(
  "query AliasedFriendsQuery { person(id: \"1\") { id ...AliasedFriends_person } }")

private let friendsScreen = graphql(
  "query FriendsQuery($id: ID!) { person(id: $id) { ...Friends_person } }")
