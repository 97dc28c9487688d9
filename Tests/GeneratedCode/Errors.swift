import RelayStore

private let errors = graphql(
  """
  query AccountQuery {
    account {
      id
      nick @required(action: LOG)
      friends { name age @required(action: NONE) }
      emails @catch
      owner @catch(to: NULL) { name }
      ...Strict_account
      ...Owned_account
    }
  }
  """)

private let strict = graphql(
  "fragment Strict_account on Account @throwOnFieldError { owner { name } emails visits }")
private let ownedErrors = graphql(
  "fragment Owned_account on Account { id visits @required(action: THROW) }")
