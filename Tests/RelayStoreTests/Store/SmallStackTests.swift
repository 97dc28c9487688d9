import Foundation
import RelayStore
import Testing

/// A debug build takes long for the deepest structures, so the suite has 10 minutes.
@Suite("On a stack of 512 KiB", .timeLimit(.minutes(10))) struct SmallStackTests {
  @Test(
    "a JSON value of the maximum depth is written, compared, hashed, printed, dumped, restored and released",
    arguments: [["["], [#"{"a":"#], [#"{"a":"#, "["], [#"{"a":1,"b":"#, "[1,"]])
  func deepScalar(_ levels: [String]) async throws {
    let deep = { @Sendable (innermost: String) in
      let open = (0..<512).map { levels[$0 % levels.count] }
      let close = open.reversed().map { $0.hasPrefix("{") ? "}" : "]" }
      return Array(#"{"data":{"blob":\#(open.joined())\#(innermost)\#(close.joined())}}"#.utf8)
    }
    let blob = TestSelection("{ blob }")
    let isRead = try await onThread(stackSize: 512 * 1024) {
      let test = TestStore()
      let calls = Locked(0)
      let scope = VariableScope(operation: [:])
      let observation = test.store.readAndObserve(.record(.root, blob.reader, in: scope)) { _ in
        calls.withLock { $0 += 1 }
      }.observation
      try test.write(blob.normalization, body: deep("1"))
      let first = test.read(blob)
      try test.write(blob.normalization, body: deep("1"))
      try test.write(blob.normalization, body: deep("2"))
      let second = test.read(blob)
      let values = Set([first, second].map { JSONValue.object($0.row?.json ?? [:]) })
      let restored = try RecordStore(dump: test.store.dump())
      observation.cancel()
      return values.count == 2 && second.isDifferent(from: first) && calls.withLock { $0 } == 2
        && values.allSatisfy { $0.description.utf8.count > 1_000 }
        && restored.dump() == test.store.dump() && test.store.dump().contains("2")
    }
    #expect(isRead)
  }

  @Test("responses nested a hundred thousand levels deep are refused")
  func deepResponse() async throws {
    let plan = TestSelection("{ blob me { id best { id } } }").normalization
    let isRefused = try await onThread(stackSize: 512 * 1024) {
      let test = TestStore()
      let forms = [#"{"data":{"blob":"#, #"{"data":{"x":"#, #"{"errors":"#, #"{"extensions":"#, ""]
      return [#"{"me":"#, #"{"best":"#, "[", #"[{"me":"#].allSatisfy { level in
        forms.allSatisfy { form in
          let body = form + String(repeating: level, count: 100_000)
          return (try? test.write(plan, body: Array(body.utf8))) == nil
        }
      }
    }
    #expect(isRefused)
  }

  /// Returns a dump of `count` records, each linking to the next and the last to the first.
  private static func cycle(_ count: Int) -> String {
    let records = (0..<count).map { number in
      #""\#(number)":{"__id":"\#(number)","__typename":"User","id":"\#(number)","name":"n","best":{"__ref":"\#((number + 1) % count)"}}"#
    }
    return
      #"{"client:root":{"__id":"client:root","__typename":"__Root","me":{"__ref":"0"}},\#(records.joined(separator: ","))}"#
  }

  /// Returns a query that follows `best` `depth` times.
  private static func selection(_ depth: Int) -> TestSelection {
    let open = String(repeating: "best { id name ", count: depth)
    return TestSelection("{ me { id \(open)\(String(repeating: "}", count: depth)) } }")
  }

  @Test(
    "a cycle of records is read, observed, compared, collected, dumped and released",
    arguments: [1, 2, 100_000])
  func cycle(_ count: Int) async throws {
    let selection = Self.selection(40)
    let isRead = try await onThread(stackSize: 512 * 1024) {
      let store = try RecordStore(
        dump: Self.cycle(count), configuration: .init(garbageCollection: .manual))
      let test = TestStore(store)
      let calls = Locked<[RowSnapshot]>([])
      let scope = VariableScope(operation: [:])
      let observation = store.readAndObserve(.record(.root, selection.reader, in: scope)) {
        snapshot in
        calls.withLock { $0.append(snapshot) }
      }.observation
      let before = test.read(selection)
      try test.environment.commitUpdate { try $0["0"]?.setValue("new", for: "name") }
      try test.environment.commitUpdate { try $0.delete("0") }
      let after = test.read(selection)
      let plan = selection.normalization
      let retention = store.retain(
        RequestIdentity(documentHash: plan.documentHash, variables: [:]),
        store.bind(plan, variables: [:]), root: .root)
      let kept = store.collectGarbage().retained
      let hashes = Set([before, after].map { JSONValue.object($0.row?.json ?? [:]) })
      observation.cancel()
      retention.release()
      return before.isDifferent(from: after) && hashes.count == 2 && kept < 100
        && calls.withLock { $0.count } > 0 && before.row.map { "\($0.json)" } != nil
        && test.read(selection).isDifferent(from: before) && !store.dump().isEmpty
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
