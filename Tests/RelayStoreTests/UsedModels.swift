import RelayStore

/// Calls a model's method that starts a request. The closure is synchronous, so overload resolution
/// does not choose the method's asynchronous form.
@MainActor
func begin(_ body: @MainActor () -> Void) { body() }

/// Returns a model that has started loading its query, like one that a view has read.
@MainActor
func used<Query>(_ model: QueryModel<Query>) -> QueryModel<Query> {
  _ = model.state
  return model
}
