#if canImport(SwiftData)
  public import RelayStore
  import Dispatch
  public import Foundation
  public import SwiftData

  /// A SwiftData context whose models mirror fragments.
  ///
  ///     let context = ModelContainerContext(container)
  ///     let mirror = environment.mirror(
  ///       PersonModelFragment.self, into: ObjectWriter(PersonModel.self, in: context))
  ///
  /// Each unit of work has its own `ModelContext`, created, used, saved and released on a serial
  /// queue. Neither it nor its models leave the queue.
  ///
  /// `@unchecked Sendable`: `current`, the only mutable state, is used only on the queue. The
  /// container and the queue may be used on any thread.
  public final class ModelContainerContext: ObjectContext, @unchecked Sendable {
    private let container: ModelContainer
    private let queue = DispatchQueue(label: "RelayStore.ModelContainerContext", qos: .utility)
    private let onError: @Sendable (any Error) -> Void
    private var current: ModelContext?

    /// Creates a context.
    ///
    /// - Parameter onError: Called with the error when a commit could not be saved.
    public init(
      _ container: ModelContainer, onError: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
      self.container = container
      self.onError = onError
    }

    public func perform(
      _ work: @escaping @Sendable (ModelContainerContext) throws -> Bool,
      onFailure: @escaping @Sendable () -> Void
    ) {
      queue.async { [self] in
        defer { current = nil }
        do {
          if try work(self) { try current?.save() }
        } catch {
          // The changes are released with the model context; it has no autosave.
          onError(error)
          onFailure()
        }
      }
    }

    /// The model context of the current work.
    ///
    /// - Precondition: The caller is inside work started by ``perform(_:)``.
    public var modelContext: ModelContext {
      dispatchPrecondition(condition: .onQueue(queue))
      if let current { return current }
      let made = ModelContext(container)
      made.autosaveEnabled = false
      current = made
      return made
    }
  }

  /// A SwiftData model that takes its values from a fragment.
  public protocol FragmentPersistentModel: PersistentModel, ContextObject
  where Context == ModelContainerContext {
    /// Creates a model with a fragment's `id` and no other values.
    init(fragmentID: String)

    /// The fragment's `id`: a unique attribute.
    var fragmentID: String { get }

    /// The string form of the stamp of the fragment's value: an optional attribute. Without it a
    /// mirror writes every model anew when it starts.
    var fragmentStamp: String? { get set }

    /// Returns the predicate of the models with these ids:
    /// `#Predicate { fragmentIDs.contains($0.fragmentID) }`.
    static func predicate(fragmentIDs: [String]) -> Predicate<Self>
  }

  extension FragmentPersistentModel {
    /// No stamp; setting it does not have an effect.
    public var fragmentStamp: String? {
      get { nil }
      set {}
    }

    /// Fetches the models with these ids in one request. If several models have the same id,
    /// returns the first.
    public static func existingObjects(
      in context: ModelContainerContext, withIDs ids: [String]
    ) throws -> [String: AnyObject] {
      let found = try context.modelContext.fetch(
        FetchDescriptor<Self>(predicate: predicate(fragmentIDs: ids)))
      return Dictionary(
        found.map { ($0.fragmentID, $0 as AnyObject) }, uniquingKeysWith: { first, _ in first })
    }

    /// Inserts a model created with ``init(fragmentID:)``.
    public static func insertObject(
      in context: ModelContainerContext, withID id: String
    ) throws -> AnyObject {
      let model = Self(fragmentID: id)
      context.modelContext.insert(model)
      return model
    }

    /// Deletes a model when the work is saved; a no-op for an object of another type.
    public static func deleteObject(
      _ object: AnyObject, in context: ModelContainerContext
    ) throws {
      if let model = object as? Self { context.modelContext.delete(model) }
    }

    /// Fetches the stamps of all models.
    public static func stamps(in context: ModelContainerContext) throws -> [DataID: FragmentStamp] {
      let found = try context.modelContext.fetch(FetchDescriptor<Self>()).map { model in
        (DataID(model.fragmentID), model.fragmentStamp.flatMap { FragmentStamp($0) } ?? .outdated)
      }
      return Dictionary(found, uniquingKeysWith: { first, _ in first })
    }

    /// Sets the ``fragmentStamp`` of a model.
    public static func setStamp(
      _ stamp: FragmentStamp, of object: AnyObject, in context: ModelContainerContext
    ) throws -> Bool {
      guard let model = object as? Self else { return false }
      model.fragmentStamp = stamp.description
      return model.fragmentStamp != nil
    }
  }
#endif
