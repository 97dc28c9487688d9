import RelayStore

private let kennel = graphql(
  "query KennelQuery($id: ID!) { person(id: $id) { id name pets { name owner { name } } } }")

private let late = graphql("query LateTypeQuery { animal { __typename name } }")

private let caught = graphql(
  """
  fragment NullWhenCaught_account on Account @catch(to: NULL) { visits nick }
  fragment FailsWhenCaught_account on Account @catch { visits nick }
  """)
