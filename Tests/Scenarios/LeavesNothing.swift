import RelayStore
import RelayStoreTesting
import Testing

/// After each test nothing is left of what its environments did: no operation or page on its way, observer, retained
/// operation or optimistic update.
///
/// The environments are those that were made with ``RelayEnvironment/watched``.
struct LeavesNothing: SuiteTrait, TestTrait, TestScoping {
  /// The environments of the test that runs.
  fileprivate actor Environments {
    private var all: [RelayEnvironment] = []

    func add(_ environment: RelayEnvironment) { all.append(environment) }

    /// What is left when all have come to rest.
    func leaks() async throws -> [Leaks] {
      var leaks: [Leaks] = []
      for environment in all {
        try await environment.settle()
        leaks.append(environment.leaks)
      }
      return leaks
    }
  }

  @TaskLocal fileprivate static var environments: Environments?

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let environments = Environments()
    try await Self.$environments.withValue(environments) { try await function() }
    for leaks in try await environments.leaks() {
      #expect(leaks.isEmpty, "Left by \"\(test.displayName ?? test.name)\": \(leaks)")
    }
  }
}

extension Trait where Self == LeavesNothing {
  /// Looks whether tests leave anything behind.
  static var leavesNothing: Self { LeavesNothing() }
}

extension RelayEnvironment {
  /// The same, looked at when the test has ended.
  var watched: RelayEnvironment {
    get async {
      await LeavesNothing.environments?.add(self)
      return self
    }
  }
}
