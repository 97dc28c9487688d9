import RelayStore

private let listed = graphql("query ListedQuery { me { id name } }")

private let unnamed = graphql("query UnnamedQuery { me { id } }")

private let detail = graphql(
  "query DetailQuery($id: ID!) { node(id: $id) { id ... on Person { name age } } }")

private let lookup = graphql("query LookupQuery($id: ID!) { person(id: $id) { id name age } }")

private let made = graphql(
  """
  mutation MadeMutation($name: String!) {
    rename(id: "0", name: $name) { person { id name } ok }
  }
  """)
