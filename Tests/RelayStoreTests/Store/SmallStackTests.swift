import Foundation
import Testing

@testable import RelayStore

@Suite struct SmallStackTests {
  @Test("a JSON object as deep as allowed is written, compared, read and dumped on a small stack")
  func deepScalar() async throws {
    let deep = { @Sendable (innermost: String) in
      let open = String(repeating: #"{"a":["#, count: 256)
      let close = String(repeating: "]}", count: 256)
      return Array(#"{"data":{"blob":\#(open)\#(innermost)\#(close)}}"#.utf8)
    }
    let isRead = try await onThread(stackSize: 512 * 1024) {
      let test = TestStore()
      let plan = Plan("Query{blob Any}")
      try test.write(plan, body: deep("1"))
      let first = test.read(plan)
      try test.write(plan, body: deep("2"))
      let second = test.read(plan)
      let values = Set([first, second].map { JSONValue.object($0.row?.json ?? [:]) })
      return values.count == 2 && second.isDifferent(from: first)
        && test.store.dump().contains("[2]")
    }
    #expect(isRead)
  }

  private func onThread(
    stackSize: Int, _ work: @escaping @Sendable () throws -> Bool
  ) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Result { try work() }) }
      thread.stackSize = stackSize
      thread.start()
    }
  }
}
