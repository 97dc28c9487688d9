#if canImport(SwiftUI)
  public import RelayStore
  public import SwiftUI

  /// A property wrapper for a mutation that a view commits, and its state.
  ///
  ///     @Mutation(LikeMutation.self) private var like
  ///
  /// The value is a ``/RelayStore/MutationModel``: `like.isInFlight`, `like.error`, `try await
  /// like.commit(…)`.
  @propertyWrapper
  public struct Mutation<Operation: GraphQLMutating>: DynamicProperty {
    @Environment(\.relayEnvironment) private var environment
    @State private var holder = ModelHolder<MutationModel<Operation>>()

    /// Creates a wrapper for mutations of a type; no request is sent until a mutation is committed.
    public init(_ type: Operation.Type = Operation.self) {}

    /// The model that commits the mutation.
    @MainActor public var wrappedValue: MutationModel<Operation> {
      let environment = environment.required
      return holder.model(in: environment) { _ in MutationModel(in: environment) }
    }
  }
#endif
