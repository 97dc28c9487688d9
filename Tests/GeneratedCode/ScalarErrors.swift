import RelayStore

private let caughtScalars = graphql(
  """
  query CaughtPricesQuery { price @catch prices @catch account @catch { friends { name } } }
  query CaughtAllQuery @catch { price prices }
  query PriceUpdateQuery @updatable { price }
  fragment Tag_person on Person { name }
  query TagQuery($id: ID!) { person(id: $id) { id title } }
  """)
