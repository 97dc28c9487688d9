import Dispatch
import Foundation
import RelayStoreTesting

@testable import RelayStore

/// Users of a store whose versions are tested.
enum VersionFixture {
  static let search = TestSelection(
    "query S($ids: [ID!]) { users(ids: $ids) { id name } }")
  static let user = TestSelection("fragment F on User { id name }").reader

  static func users(_ names: [String: String]) -> JSONValue {
    let users = names.sorted { $0.key < $1.key }.map { id, name -> JSONValue in
      ["__typename": "User", "id": .string(id), "name": .string(name)]
    }
    return ["users": .array(users)]
  }

  static func write(_ names: [String: String], in test: TestStore) throws {
    try test.write(search, users(names), variables: ["ids": ["a"]])
  }

  static func target(_ id: DataID) -> ReadTarget {
    .record(id, user, in: VariableScope(operation: [:]))
  }

  /// Calls the closure on another thread and returns its result; `nil` if it takes ten seconds.
  static func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) -> Result? {
    let (result, isDone) = (Locked<Result?>(nil), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      let value = body()
      result.withLock { $0 = value }
      isDone.signal()
    }
    return isDone.wait(timeout: .now() + 10) == .success ? result.withLock { $0 } : nil
  }
}
