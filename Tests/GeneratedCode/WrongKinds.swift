import RelayStore

private let kinds = graphql(
  """
  query KindsQuery { account { id nick visits emails owner { id name } friends { id name } } price }
  query KindsOfAnimalsQuery { animals { name friends { name } ... on Dog { id barks } } }
  """)
