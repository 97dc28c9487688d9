#if canImport(SwiftUI)
  public import RelayStore
  public import SwiftUI

  /// A property wrapper for a paginated list in a view.
  ///
  ///     @PaginationFragment private var list: PaginationModel<ListItems_list>
  ///
  ///     init(_ list: FragmentRef<ListItems_list>) { _list = PaginationFragment(list) }
  ///
  /// The value is a ``/RelayStore/PaginationModel``: `list.data`, `list.hasNext`,
  /// `list.loadNext(10)`, `list.refetch()`.
  @propertyWrapper
  public struct PaginationFragment<Value: GraphQLRefetchable & GraphQLPaginated>: DynamicProperty {
    @Environment(\.relayEnvironment) private var environment
    @State private var holder = ModelHolder<PaginationModel<Value>>()
    private let reference: FragmentRef<Value>

    /// Creates a wrapper for the list in a reference's fragment, using the view's environment.
    public init(_ reference: FragmentRef<Value>) { self.reference = reference }

    /// The model of the list and its pages.
    @MainActor public var wrappedValue: PaginationModel<Value> {
      let environment = environment.required
      return holder.model(in: environment, for: reference) { _ in
        PaginationModel(reference, in: environment)
      }
    }
  }
#endif
