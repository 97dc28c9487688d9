// The Core Data declarations that RelayStore's adapter and its example use, so that they can be
// type-checked on platforms without Core Data. The bodies are stubs.

@_exported public import Foundation

open class NSEntityDescription: NSObject {
  open var name: String?
  open var attributesByName: [String: NSAttributeDescription] { [:] }

  open class func insertNewObject(
    forEntityName name: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    NSManagedObject()
  }
}

open class NSAttributeDescription: NSObject {}

open class NSManagedObject: NSObject {
  open class func entity() -> NSEntityDescription { NSEntityDescription() }
  open func value(forKey key: String) -> Any? { nil }
  open func setValue(_ value: Any?, forKey key: String) {}
}

public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSManagedObject: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}

public struct NSFetchRequestResultType: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
}

open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSObject {
  open var predicate: NSPredicate?
  open var sortDescriptors: [NSSortDescriptor]?
  open var returnsObjectsAsFaults = true
  open var resultType = NSFetchRequestResultType()
  open var propertiesToFetch: [Any]?

  public convenience init(entityName: String) { self.init() }
}

open class NSManagedObjectContext: NSObject {
  open var hasChanges: Bool { false }
  open var automaticallyMergesChangesFromParent = false

  open func perform(_ block: @escaping () -> Void) {}
  open func save() throws {}
  open func rollback() {}
  open func delete(_ object: NSManagedObject) {}
  public func fetch<Result: NSFetchRequestResult>(
    _ request: NSFetchRequest<Result>
  ) throws -> [Result] { [] }
}

open class NSPersistentContainer: NSObject, @unchecked Sendable {
  open var viewContext: NSManagedObjectContext { NSManagedObjectContext() }
  open func newBackgroundContext() -> NSManagedObjectContext { NSManagedObjectContext() }
}

open class NSFetchedResultsController<ResultType: NSFetchRequestResult>: NSObject {
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName: String?
  ) {}
  open var fetchedObjects: [ResultType]? { nil }
  open func performFetch() throws {}
}
