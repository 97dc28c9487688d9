import CoreData
import RelayPersistence
import RelayStore

// The Core Data code of Docs/ClientState.md. A test compares them, and the check for Apple's
// platforms compiles it.

class Person: NSManagedObject {
  var name = ""
}

private let person = graphql("fragment PersonFragment on Person { id name }")

extension Person: FragmentManagedObject {  // an NSManagedObject with an attribute "id"
  func update(with fragment: PersonFragment) -> Bool {  // whether anything has changed
    if name == fragment.name { return false }
    name = fragment.name
    return true
  }
}

func mirrorPeople(of environment: RelayEnvironment, in container: NSPersistentContainer)
  -> ObservationHandle
{
  let context = ManagedObjectContext(container.newBackgroundContext())
  let mirror = environment.mirror(PersonFragment.self, into: ObjectWriter(Person.self, in: context))
  return mirror
}

func people(in container: NSPersistentContainer) throws -> [Person] {
  let request = NSFetchRequest<Person>(entityName: "Person")
  request.sortDescriptors = [NSSortDescriptor(keyPath: \Person.name, ascending: true)]
  container.viewContext.automaticallyMergesChangesFromParent = true
  let people = NSFetchedResultsController(
    fetchRequest: request, managedObjectContext: container.viewContext, sectionNameKeyPath: nil,
    cacheName: nil)
  try people.performFetch()
  return people.fetchedObjects ?? []
}

func person(_ fragment: PersonFragment, in context: NSManagedObjectContext) throws -> Person {
  try Person.object(in: context, with: fragment)
}
