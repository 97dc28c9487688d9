#if canImport(SwiftUI)
  public import RelayStore
  public import SwiftUI

  /// A property wrapper for a fragment's data in a view. The view updates only when that data
  /// changes.
  ///
  ///     @Fragment private var todo: TodoRow_todo?
  ///
  ///     init(_ todo: FragmentRef<TodoRow_todo>) { _todo = Fragment(todo) }
  ///
  /// `$todo` is the ``/RelayStore/FragmentModel`` with missing fields, errors and, for refetchable
  /// fragments, `refetch`.
  @propertyWrapper
  public struct Fragment<Value: GraphQLFragment>: DynamicProperty {
    @Environment(\.relayEnvironment) private var environment
    @State private var holder = ModelHolder<FragmentModel<Value>>()
    private let reference: FragmentRef<Value>

    /// Creates a wrapper that observes a reference's fragment in the view's environment.
    public init(_ reference: FragmentRef<Value>) { self.reference = reference }

    /// The data; `nil` while it is missing or the record is deleted.
    @MainActor public var wrappedValue: Value? { projectedValue.data }

    /// The model of the fragment.
    @MainActor public var projectedValue: FragmentModel<Value> {
      let environment = environment.required
      return holder.model(in: environment, for: reference) { _ in
        FragmentModel(reference, in: environment)
      }
    }
  }
#endif
