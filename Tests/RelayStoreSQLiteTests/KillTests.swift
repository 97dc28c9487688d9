import Foundation
import SeededRandom
import Testing

@testable import RelayStore
@testable import RelayStoreSQLite

/// Kills a process that uses a store at random moments, and checks what it leaves.
///
/// The process is this test itself, which does the child's work when the environment names a directory.
@Suite("Storage: killed processes", .timeLimit(.minutes(60)))
struct KillTests {
  private static let directoryName = "RELAYSTORE_KILLED_DIRECTORY"
  private static let killCount =
    ProcessInfo.processInfo.environment["RELAYSTORE_KILLS"].flatMap(Int.init) ?? 20

  @Test("nothing that was flushed or acknowledged is lost, torn or sent twice")
  func kills() async throws {
    if let path = ProcessInfo.processInfo.environment[Self.directoryName] {
      return try await KilledProcess(path: path).run()
    }
    let directory = TemporaryDirectory()
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededGenerator(seed: seed)
    var (phases, flushed, keys) = ([String: Int](), 0, Set<String>())
    for _ in 0..<Self.killCount {
      let lines = try run(directory, killedAfter: Int.random(in: 1..<60, using: &random))
      phases[lines.last { $0.hasPrefix("phase ") } ?? "start", default: 0] += 1
      for line in lines {
        let words = line.split(separator: " ").map(String.init)
        switch words.first {
        case "flushed": flushed = max(flushed, Int(words[1]) ?? 0)
        case "wiping": flushed = 0
        case "committed": keys.insert(words[1])
        default: break
        }
      }
      let stored = StoredStore(.sqlite(directory: directory.path + "/store", library: nil))
      await stored.store.loaded()
      #expect(stored.events.problems.isEmpty)
      let numbers = ["left", "right"].map { stored.number(of: $0) }
      #expect(numbers[0] == numbers[1])
      #expect(numbers[0] ?? 0 >= flushed)
      stored.check()
      try await stored.close()
    }
    print(
      "Kills: seed \(seed), by phase \(phases.sorted { $0.key < $1.key }.map { "\($0): \($1)" })")

    // What was committed is applied by the next run, each once.
    let last = try KilledProcess(path: directory.path)
    await last.environment.store.loaded()
    let outbox = try #require(last.environment.outbox)
    for await entries in outbox.observe() where entries.isEmpty && last.isStarted(outbox) { break }
    let applied = last.server.applied
    #expect(Set(applied).count == applied.count)
    #expect(keys.subtracting(applied).isEmpty)
    #expect(!keys.isEmpty)
    try await last.environment.store.suspend()
  }

  /// Runs the child until it has printed some lines, and kills it.
  private func run(_ directory: TemporaryDirectory, killedAfter count: Int) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = ["--testing-library", "swift-testing", "--filter", "KillTests"]
    process.environment = ProcessInfo.processInfo.environment.merging(
      [Self.directoryName: directory.path]
    ) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    var (text, lines) = (Data(), 0)
    while lines < count {
      let bytes = pipe.fileHandleForReading.availableData
      if bytes.isEmpty { break }
      text += bytes
      lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        .count { !$0.hasPrefix("◇") && !$0.hasPrefix("↳") }
    }
    kill(process.processIdentifier, SIGKILL)
    text += pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

extension StoredStore {
  /// The number that a record has.
  fileprivate func number(of id: DataID) -> Int? {
    let plan = SelectionPlan("Item{number Int}")
    guard case .number(let number)? = store.read(id, plan, in: .empty).row?.json["number"] else {
      return nil
    }
    return number.int
  }
}

/// A process that commits numbered changes and mutations, and prints what is on the disk.
private struct KilledProcess {
  let environment: RelayEnvironment
  let server: AppliedMutations

  init(path: String) throws {
    server = AppliedMutations(path: path + "/applied")
    let storage = DurableStorage.sqlite(directory: path + "/store", library: nil)
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual, storage: storage)),
      transport: server, outbox: OutboxOptions(honorsKeys: true))
  }

  /// Whether the outbox has loaded its entries.
  func isStarted(_ outbox: Outbox) -> Bool { outbox.isLoaded }

  func run() async throws {
    await environment.store.loaded()
    var number = 0
    let plan = SelectionPlan("Item{number Int}")
    if case .number(let stored)? = environment.store.read("left", plan, in: .empty).row?
      .json["number"]
    {
      number = stored.int ?? 0
    }
    while true {
      for round in 0..<20 {
        number += 1
        say("phase commit")
        try environment.commitUpdate { [number] store in
          for id in ["left", "right"] as [DataID] {
            let record = try store[id] ?? store.create(id, type: "Item")
            try record.setValue(.number(JSONNumber(number)), for: "number")
            try record.setValue(.string(String(repeating: "x", count: number % 3000)), for: "text")
          }
          let other = DataID("item-\(number % 200)")
          let item = try store[other] ?? store.create(other, type: "Item")
          try item.setValue(.number(JSONNumber(number)), for: "number")
        }
        try await environment.store.flush()
        say("flushed \(number)")
        if round % 3 == 0 {
          say("phase outbox")
          let entry = try await environment.outbox?.add(.increment(number), after: [])
          if let entry { say("committed \(entry.id)") }
        }
        if round % 5 == 0 {
          say("phase collect")
          environment.store.collectGarbage()
        }
      }
      say("phase checkpoint")
      try await environment.store.suspend()
      say("phase open")
      try await environment.store.resume()
    }
  }

  private func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}

extension MutationCommit {
  fileprivate static func increment(_ number: Int) -> MutationCommit {
    MutationCommit(
      operation: OperationPlan(
        text: "mutation Increment($id: ID!) { increment(id: $id) { id } }",
        reader: "Increment Mutation{increment(id:$id) Counter{id ID!}}",
        normalization: "Mutation{increment(id:$id) Counter{__typename String! id ID!}}"),
      variables: Variables(json: ["id": .string("counter-\(number % 5)")]),
      optimisticResponse: nil)
  }
}

/// A server whose memory is a file: the keys of the mutations that it has executed, each once.
private final class AppliedMutations: Transport {
  private let path: String
  private let lock = Locked(0)

  init(path: String) { self.path = path }

  var applied: [String] {
    ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
      .map(String.init)
  }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let key = request.headers["Idempotency-Key"] ?? ""
    lock.withLock { count in
      count += 1
      if applied.contains(key) { return }
      let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
      _ = Array((key + "\n").utf8).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      close(file)
    }
    let data: JSONValue = [
      "increment": ["__typename": "Counter", "id": request.variables["id"] ?? .null]
    ]
    return GraphQLResponse(body: JSONValue.object(["data": data]).jsonBytes)
  }
}
