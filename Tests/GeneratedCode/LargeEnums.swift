import RelayStore

private let currency = graphql("query CurrencyQuery { everything { currency } }")
