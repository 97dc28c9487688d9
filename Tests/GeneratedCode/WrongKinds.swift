import RelayStore

private let wrongKinds = graphql(
  """
  query KindsQuery { account { id nick visits emails owner { id name } friends { id name } } price }
  query EmptyBoxesQuery { shelf { id boxes { id } maybe { id } } }
  query KindsOfAnimalsQuery { animals { name friends { name } ... on Dog { id barks } } }
  """)
