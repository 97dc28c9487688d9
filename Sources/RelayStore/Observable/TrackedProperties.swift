import Observation

/// The properties of a model that views track, without their values.
///
/// The models are generic, and a generic class creates its key paths anew at each access. This
/// class is not generic, so its key paths are constants. A model reports each access and each
/// change of a property here.
@MainActor
package class TrackedProperties: Observable {
  private typealias Property = KeyPath<TrackedProperties, Void> & Sendable

  /// The key paths, each at the index of its bit in ``ModelProperties``.
  private static let keyPaths: [any Property] = (0..<32).map { \TrackedProperties[$0] }

  nonisolated private subscript(position: Int) -> Void { () }

  private let registrar = ObservationRegistrar()

  /// Creates an instance. A `package` initializer would warn at the subclass ``ObservedState``.
  package static func make() -> TrackedProperties { TrackedProperties() }

  /// Registers that the view being drawn, if any, accesses a property.
  package func access(_ property: ModelProperties) {
    registrar.access(self, keyPath: Self.keyPaths[property.rawValue.trailingZeroBitCount])
  }

  /// Changes values. As in `Observation`, notifies the views that have accessed one of the
  /// properties before the change is made.
  ///
  /// - Parameter properties: The properties whose values change; may be empty.
  package func change(_ properties: ModelProperties, _ body: () -> Void) {
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
