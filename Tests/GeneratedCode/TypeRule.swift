import RelayStore

private let named = graphql("fragment Rule_named on Named { name }")

private let thing = graphql("query RuleQuery { thing { ... on Named { name } } }")
