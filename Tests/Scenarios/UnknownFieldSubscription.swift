@_spi(GeneratedCode) import RelayStore

/// A subscription to a field that the schema does not have. The compiler would reject it.
struct UnknownFieldSubscription: GraphQLSubscription, Hashable {
  static let __operation = OperationPlan(
    text: "subscription UnknownFieldSubscription{nothing{id}}",
    reader: "UnknownFieldSubscription Subscription{nothing Task{id ID!}}",
    normalization: "Subscription{nothing Task{id ID!}}")

  struct Data: GraphQLView, Hashable {
    let __row: Row
  }
}
