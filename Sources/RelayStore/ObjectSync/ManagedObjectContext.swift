#if canImport(CoreData)
  public import CoreData

  /// A managed object context as a place for objects that mirror fragments.
  ///
  ///     let context = ManagedObjectContext(container.newBackgroundContext())
  ///     let mirror = environment.mirror(PersonFragment.self, into: ObjectWriter(Person.self, in: context))
  ///
  /// Fetched results controllers on the view context, with `automaticallyMergesChangesFromParent`, show what it saves.
  ///
  /// `@unchecked Sendable`: the context is used inside of its own `perform` only.
  public struct ManagedObjectContext: ObjectContext, @unchecked Sendable {
    /// The context itself; its objects belong to its queue.
    public let context: NSManagedObjectContext
    private let onError: @Sendable (any Error) -> Void

    /// - Parameter onError: Told why a commit could not be written; it is taken back then.
    public init(
      _ context: NSManagedObjectContext, onError: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
      self.context = context
      self.onError = onError
    }

    public func perform(_ work: @escaping @Sendable (ManagedObjectContext) throws -> Bool) {
      context.perform {
        do {
          if try work(self), context.hasChanges { try context.save() }
        } catch {
          context.rollback()
          onError(error)
        }
      }
    }
  }

  /// A managed object that takes its values from a fragment.
  public protocol FragmentManagedObject: NSManagedObject, ContextObject
  where Context == ManagedObjectContext {
    /// The attribute that has the fragment's `id`; `id` unless said otherwise.
    static var idAttribute: String { get }
  }

  extension FragmentManagedObject {
    public static var idAttribute: String { "id" }

    private static var entityName: String { entity().name ?? "\(Self.self)" }

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

    public static func insertObject(
      in context: ManagedObjectContext, withID id: String
    ) throws -> AnyObject {
      let object = NSEntityDescription.insertNewObject(
        forEntityName: entityName, into: context.context)
      object.setValue(id, forKey: idAttribute)
      return object
    }

    public static func deleteObject(_ object: AnyObject, in context: ManagedObjectContext) throws {
      if let object = object as? NSManagedObject { context.context.delete(object) }
    }

    /// The object that a fragment is about, with its values; called on the context's queue.
    public static func object(in context: NSManagedObjectContext, with fragment: Fragment) throws
      -> Self
    {
      try object(in: ManagedObjectContext(context), with: fragment)
    }
  }
#endif
