import RelayStore

private let parcels = graphql(
  """
  query ParcelsQuery($withBoxes: Boolean! = true) {
    parcels {
      cases
      ... on Sealed { seal ... on Letter { sender { id } } ... on Box { sender { id } } }
      ... on Box @include(if: $withBoxes) { width }
      ... on Other { what }
      ... on Tube @alias(as: "roll") { sender { name } }
    }
  }
  """)
