import Observation

/// The properties of a model that views track, without their values.
///
/// The models are generic, and the key path of a generic class is made anew at each access. This
/// class is not: its key paths are constants. A model reports each access of a property, and each
/// change, here.
@MainActor
class TrackedProperties: Observable {
  private typealias Property = KeyPath<TrackedProperties, Void> & Sendable

  /// The key paths, each at the position of its bit in ``ModelProperties``.
  private static let keyPaths: [any Property] = [
    \.data, \.snapshot, \.state, \.error, \.isLoading, \.reference, \.query, \.isPreviousData,
    \.hasNext, \.hasPrevious, \.isLoadingNext, \.isLoadingPrevious, \.isRefetching, \.isInFlight,
    \.subscription, \.connection, \.isConnected, \.gapCount, \.hasGap, \.isActive,
  ]

  nonisolated private var data: Void { () }
  nonisolated private var snapshot: Void { () }
  nonisolated private var state: Void { () }
  nonisolated private var error: Void { () }
  nonisolated private var isLoading: Void { () }
  nonisolated private var reference: Void { () }
  nonisolated private var query: Void { () }
  nonisolated private var isPreviousData: Void { () }
  nonisolated private var hasNext: Void { () }
  nonisolated private var hasPrevious: Void { () }
  nonisolated private var isLoadingNext: Void { () }
  nonisolated private var isLoadingPrevious: Void { () }
  nonisolated private var isRefetching: Void { () }
  nonisolated private var isInFlight: Void { () }
  nonisolated private var subscription: Void { () }
  nonisolated private var connection: Void { () }
  nonisolated private var isConnected: Void { () }
  nonisolated private var gapCount: Void { () }
  nonisolated private var hasGap: Void { () }
  nonisolated private var isActive: Void { () }

  private let registrar = ObservationRegistrar()

  /// Registers an access of one property by the view that is being drawn, if any.
  func access(_ property: ModelProperties) {
    registrar.access(self, keyPath: Self.keyPaths[property.rawValue.trailingZeroBitCount])
  }

  /// Changes values, and notifies the views that have accessed one of the properties: before the
  /// change, as `Observation` does.
  ///
  /// - Parameter properties: The properties whose values change, possibly none.
  func change(_ properties: ModelProperties, _ body: () -> Void) {
    forEach(properties) { registrar.willSet(self, keyPath: $0) }
    body()
    forEach(properties) { registrar.didSet(self, keyPath: $0) }
  }

  private func forEach(_ properties: ModelProperties, _ body: (any Property) -> Void) {
    var bits = properties.rawValue
    while bits != 0 {
      body(Self.keyPaths[bits.trailingZeroBitCount])
      bits &= bits - 1
    }
  }
}
