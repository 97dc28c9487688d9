import Observation

/// The properties of a model that views track, without their values.
///
/// The models are generic, and the key path of a generic class is made anew at each access. This
/// class is not: its key paths are constants. A model reports each access of a property, and each
/// change, here.
@MainActor
final class TrackedProperties: Observable {
  typealias Property = KeyPath<TrackedProperties, Void> & Sendable

  /// The data to show, and everything that a delivery of the store changes.
  static let snapshot: any Property = \.snapshotProperty
  /// The reference whose data is shown.
  static let reference: any Property = \.referenceProperty
  /// Whether data may arrive.
  static let isLoading: any Property = \.isLoadingProperty

  nonisolated private var snapshotProperty: Void { () }
  nonisolated private var referenceProperty: Void { () }
  nonisolated private var isLoadingProperty: Void { () }

  private let registrar = ObservationRegistrar()

  /// Registers an access by the view that is being drawn, if any.
  func access(_ property: any Property) { registrar.access(self, keyPath: property) }

  /// Changes a property and notifies the views that have accessed it.
  func change<Result>(_ property: any Property, _ body: () -> Result) -> Result {
    registrar.withMutation(of: self, keyPath: property, body)
  }
}
