import RelayStore

/// Calls a method of a model that begins a request, in code where the call alone would be that of
/// the method's asynchronous form.
@MainActor
func begin(_ body: @MainActor () -> Void) { body() }

/// Returns a model that has begun to load its query, as one that a view has read.
@MainActor
func used<Query>(_ model: QueryModel<Query>) -> QueryModel<Query> {
  _ = model.state
  return model
}
