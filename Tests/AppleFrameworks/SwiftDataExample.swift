import RelayPersistence
import RelayStore
import SwiftData

// The SwiftData code of Docs/ClientState.md. A test compares them, and the check for Apple's
// platforms compiles it.

// The macro `@Model` would conform the class to these protocols.
final class PersonModel: PersistentModel {
  var fragmentID: String
  var fragmentStamp: String?
  var name = ""

  init(fragmentID: String) { self.fragmentID = fragmentID }
}

private let model = graphql("fragment PersonModelFragment on Person { id name }")

extension PersonModel: FragmentPersistentModel {
  static func predicate(fragmentIDs: [String]) -> Predicate<PersonModel> {
    #Predicate { fragmentIDs.contains($0.fragmentID) }
  }

  func update(with fragment: PersonModelFragment) -> Bool {
    if name == fragment.name { return false }
    name = fragment.name
    return true
  }
}

func mirrorPeople(of environment: RelayEnvironment, in container: ModelContainer)
  -> ObservationHandle
{
  let context = ModelContainerContext(container) { error in print("\(error)") }
  let mirror = environment.mirror(
    PersonModelFragment.self, into: ObjectWriter(PersonModel.self, in: context))
  return mirror
}

/// A model without a stamp.
final class UnstampedModel: PersistentModel, FragmentPersistentModel {
  var fragmentID: String
  init(fragmentID: String) { self.fragmentID = fragmentID }

  static func predicate(fragmentIDs: [String]) -> Predicate<UnstampedModel> {
    #Predicate { fragmentIDs.contains($0.fragmentID) }
  }

  func update(with fragment: PersonModelFragment) -> Bool { false }
}
