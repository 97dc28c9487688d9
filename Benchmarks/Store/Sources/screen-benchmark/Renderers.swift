import RelayStore
import Synchronization

/// Reads each fragment once.
struct Reading: Renderer {
  let environment: RelayEnvironment

  func render<Fragment: GraphQLFragment>(_ reference: FragmentRef<Fragment>) -> Fragment?
  where Fragment.__Failure == Never {
    environment.read(reference).data
  }
}

/// The number of deliveries to each kind of fragment.
final class Deliveries: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  func add(_ fragment: (some GraphQLFragment).Type) {
    counts.withLock { $0["\(fragment)", default: 0] += 1 }
  }

  func takeCounts() -> [String: Int] {
    counts.withLock { counts in
      defer { counts = [:] }
      return counts
    }
  }
}

/// Observes each fragment with a closure.
struct Observing: Renderer {
  let environment: RelayEnvironment
  let deliveries: Deliveries
  var observations: [ObservationHandle] = []

  mutating func render<Fragment: GraphQLFragment>(_ reference: FragmentRef<Fragment>) -> Fragment?
  where Fragment.__Failure == Never {
    let (snapshot, observation) = environment.readAndObserve(reference) { [deliveries] _ in
      deliveries.add(Fragment.self)
    }
    observations.append(observation)
    return snapshot.data
  }
}

/// Holds a model of each fragment.
struct Modelling: Renderer {
  let environment: RelayEnvironment
  var models: [AnyObject] = []

  mutating func render<Fragment: GraphQLFragment>(_ reference: FragmentRef<Fragment>) -> Fragment?
  where Fragment.__Failure == Never {
    let model = FragmentModel(reference, in: environment)
    models.append(model)
    return model.data
  }
}
