import RelayStore

private let finds = graphql(
  """
  query FindQuery { find { asked } }
  query FindNullQuery { find(tag: null) { asked } }
  query FindVariableQuery($tag: String) { find(tag: $tag) { asked } }
  query FindDefaultQuery($tag: String = "d") { find(tag: $tag) { asked } }
  query FindDefaultNullQuery($tag: String = null) { find(tag: $tag) { asked } }
  query FindNestedQuery($tag: String) { find(by: {tag: $tag, kind: null}, tags: [null, $tag]) { asked } }
  query FindByQuery($by: FindBy, $tags: [String]) { find(by: $by, tags: $tags) { asked } }
  query FindExtraQuery($tag: String) { find(extra: {tag: $tag, none: null, list: [$tag]}) { asked } }
  """)

private let fragments = graphql(
  """
  fragment Find_query on Query @argumentDefinitions(tag: {type: "String", defaultValue: "f"}) {
    find(tag: $tag) { asked }
  }
  fragment FindNull_query on Query @argumentDefinitions(tag: {type: "String", defaultValue: null}) {
    find(tag: $tag) { asked }
  }
  query PassDefaultQuery { ...Find_query }
  query PassNullQuery { ...Find_query @arguments(tag: null) }
  query PassVariableQuery($tag: String) { ...Find_query @arguments(tag: $tag) }
  query PassDefaultNullQuery { ...FindNull_query }
  """)

private let nick = graphql(
  """
  mutation ClearNickMutation { setNick(id: "1", nick: null) { id nick } }
  mutation KeepNickMutation { setNick(id: "1") { id nick } }
  mutation SetNickMutation($nick: String) { setNick(id: "1", nick: $nick) { id nick } }
  """)

private let updatable = graphql(
  """
  query FindUpdatable($tag: String) @updatable { find(tag: $tag) { asked } }
  """)

private let screens = graphql(
  """
  query NullOrderQuery { person(id: "1") { id ...Friends_person @arguments(order: null) } }
  query OrderQuery($order: Order, $cursor: String) {
    person(id: "1") { id ...Friends_person @arguments(order: $order, cursor: $cursor) }
  }
  fragment NullCursor_person on Person
  @argumentDefinitions(count: {type: "Int", defaultValue: 2}, cursor: {type: "String", defaultValue: null})
  @refetchable(queryName: "NullCursorPaginationQuery") {
    followers(first: $count, after: $cursor) @connection(key: "NullCursor_followers") {
      edges { node { id name } }
    }
  }
  fragment OneWay_person on Person {
    followers(first: 2, last: null) @connection(key: "OneWay_followers") { edges { node { id name } } }
  }
  query NullCursorQuery { person(id: "1") { id ...NullCursor_person } }
  query OneWayQuery { person(id: "1") { id ...OneWay_person } }
  """)
