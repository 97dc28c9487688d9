import RelayStore
import RelayStoreTesting
import Testing

/// A trait that fails a test whose environments have not released everything at its end: no
/// operation or page in flight, observer, retained operation or optimistic update may remain.
///
/// The trait checks the environments that the test has accessed by ``RelayEnvironment/watched``.
struct LeavesNothing: SuiteTrait, TestTrait, TestScoping {
  /// The environments of the running test.
  fileprivate actor Environments {
    private var all: [RelayEnvironment] = []

    func add(_ environment: RelayEnvironment) { all.append(environment) }

    /// Returns the leaks of each environment after it has settled.
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
  /// Checks that tests leave nothing behind.
  static var leavesNothing: Self { LeavesNothing() }
}

extension RelayEnvironment {
  /// This environment, checked for leaks at the end of the test.
  var watched: RelayEnvironment {
    get async {
      await LeavesNothing.environments?.add(self)
      return self
    }
  }
}
