import RelayStore
import RelayStoreTesting
import Testing

/// A trait that fails a test whose environments have not released everything at its end: no
/// operation or page in flight, observer, retained operation or optimistic update may remain.
///
/// The trait checks the environments that the test has accessed through
/// ``RelayEnvironment/checkedForLeaks``.
struct LeakCheck: SuiteTrait, TestTrait, TestScoping {
  /// The environments of the running test.
  fileprivate actor Environments {
    private var all: [RelayEnvironment] = []

    func add(_ environment: RelayEnvironment) { all.append(environment) }

    /// Returns the live resources of each environment after it has settled. A cancelled observer
    /// task releases its resources only when it runs, so this waits for them. Resources that are
    /// still live after the limit are leaks.
    func liveResources(limit: Duration = .seconds(20)) async throws -> [LiveResources] {
      var resources: [LiveResources] = []
      for environment in all {
        try await environment.settle()
        _ = try? await eventually(within: limit) {
          environment.liveResources
        } is: {
          $0.isEmpty
        }
        resources.append(environment.liveResources)
      }
      return resources
    }
  }

  @TaskLocal fileprivate static var environments: Environments?

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let environments = Environments()
    try await Self.$environments.withValue(environments) { try await function() }
    for resources in try await environments.liveResources() {
      #expect(
        resources.isEmpty, "Not released by \"\(test.displayName ?? test.name)\": \(resources)")
    }
  }
}

extension Trait where Self == LeakCheck {
  /// Checks that the environments of a test have released everything at its end.
  static var checksForLeaks: Self { LeakCheck() }
}

extension RelayEnvironment {
  /// This environment, checked for live resources at the end of the test.
  var checkedForLeaks: RelayEnvironment {
    get async {
      await LeakCheck.environments?.add(self)
      return self
    }
  }
}
