#if canImport(CoreData)
  public import RelayStore
  public import CoreData

  /// A managed object context whose objects mirror fragments.
  ///
  ///     let context = ManagedObjectContext(container.newBackgroundContext())
  ///     let mirror = environment.mirror(
  ///       PersonFragment.self, into: ObjectWriter(Person.self, in: context))
  ///
  /// Fetched results controllers on the view context show the saved objects if it has
  /// `automaticallyMergesChangesFromParent`.
  ///
  /// `@unchecked Sendable`: the struct is immutable, and its only non-`Sendable` reference, the
  /// managed object context, is used only on the context's queue. ``perform(_:)`` runs its work
  /// there, and the objects' conformance uses the context inside that work. Code that reads
  /// ``context`` must use the context's `perform`.
  public struct ManagedObjectContext: ObjectContext, @unchecked Sendable {
    /// The managed object context; its objects may be used only on its queue.
    public let context: NSManagedObjectContext
    private let onError: @Sendable (any Error) -> Void

    /// Creates a context.
    ///
    /// - Parameter onError: Called with the error when a commit could not be written and was rolled
    ///   back.
    public init(
      _ context: NSManagedObjectContext, onError: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
      self.context = context
      self.onError = onError
    }

    public func perform(
      _ work: @escaping @Sendable (ManagedObjectContext) throws -> Bool,
      onFailure: @escaping @Sendable () -> Void
    ) {
      context.perform {
        do {
          if try work(self), context.hasChanges { try context.save() }
        } catch {
          context.rollback()
          onError(error)
          onFailure()
        }
      }
    }
  }

  /// A managed object that takes its values from a fragment.
  public protocol FragmentManagedObject: NSManagedObject, ContextObject
  where Context == ManagedObjectContext {
    /// The attribute with the fragment's `id`; `id` by default.
    static var idAttribute: String { get }

    /// The optional attribute of type String with the stamp of the fragment's value;
    /// `fragmentStamp` by default. If the entity does not have it, a mirror writes every object
    /// anew when it starts.
    static var stampAttribute: String { get }
  }

  extension FragmentManagedObject {
    /// The name of the attribute `id`.
    public static var idAttribute: String { "id" }

    /// The name of the attribute `fragmentStamp`.
    public static var stampAttribute: String { "fragmentStamp" }

    private static var hasStamps: Bool { entity().attributesByName[stampAttribute] != nil }

    private static var entityName: String { entity().name ?? "\(Self.self)" }

    /// Fetches the objects with these ids in one request. If several objects have the same id,
    /// returns the first.
    public static func existingObjects(
      in context: ManagedObjectContext, withIDs ids: [String]
    ) throws -> [String: AnyObject] {
      let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
      request.predicate = NSPredicate(format: "%K IN %@", argumentArray: [idAttribute, ids])
      request.returnsObjectsAsFaults = false
      let found = try context.context.fetch(request).compactMap { object in
        (object.value(forKey: idAttribute) as? String).map { ($0, object as AnyObject) }
      }
      return Dictionary(found, uniquingKeysWith: { first, _ in first })
    }

    /// Inserts an object of the class's entity and sets its ``idAttribute``.
    public static func insertObject(
      in context: ManagedObjectContext, withID id: String
    ) throws -> AnyObject {
      let object = NSEntityDescription.insertNewObject(
        forEntityName: entityName, into: context.context)
      object.setValue(id, forKey: idAttribute)
      return object
    }

    /// Deletes an object when the context is saved; a no-op for an object that is not managed.
    public static func deleteObject(_ object: AnyObject, in context: ManagedObjectContext) throws {
      if let object = object as? NSManagedObject { context.context.delete(object) }
    }

    /// Fetches only the ids and stamps of all objects, in one request.
    public static func stamps(in context: ManagedObjectContext) throws -> [DataID: FragmentStamp] {
      if !hasStamps { return [:] }
      let request = NSFetchRequest<NSDictionary>(entityName: entityName)
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [idAttribute, stampAttribute]
      let found = try context.context.fetch(request).compactMap { values in
        (values[idAttribute] as? String).map { id in
          (
            DataID(id),
            (values[stampAttribute] as? String).flatMap { FragmentStamp($0) } ?? .outdated
          )
        }
      }
      return Dictionary(found, uniquingKeysWith: { first, _ in first })
    }

    /// Sets the ``stampAttribute`` of an object, if its entity has one.
    public static func setStamp(
      _ stamp: FragmentStamp, of object: AnyObject, in context: ManagedObjectContext
    ) throws -> Bool {
      guard hasStamps, let object = object as? NSManagedObject else { return false }
      object.setValue(stamp.description, forKey: stampAttribute)
      return true
    }

    /// Returns the object of a fragment, updated with the fragment's values.
    ///
    /// - Precondition: The caller is on the context's queue.
    public static func object(in context: NSManagedObjectContext, with fragment: Fragment) throws
      -> Self
    {
      try object(in: ManagedObjectContext(context), with: fragment)
    }
  }
#endif
