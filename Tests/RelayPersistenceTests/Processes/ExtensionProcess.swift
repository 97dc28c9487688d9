import Foundation
import RelayPersistence
import RelayStore
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that uses a shared container: this test itself, started with a role in its
/// environment.
enum ExtensionProcess {
  enum Role: String {
    /// Reads the snapshot and adds mutations.
    case extending
    /// Imports the inbox, and sends its mutations.
    case app
  }

  private static let variables = (
    role: "RELAYSTORE_PROCESS_ROLE", directory: "RELAYSTORE_PROCESS_DIRECTORY",
    count: "RELAYSTORE_PROCESS_COUNT", kill: "RELAYSTORE_PROCESS_KILL"
  )

  /// The role of this process; `nil` for the test.
  static var role: Role? {
    ProcessInfo.processInfo.environment[variables.role].flatMap(Role.init)
  }

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - count: The number of mutations that it adds.
  ///   - call: The file system or database call at which it kills itself; `nil` for none.
  static func start(
    _ role: Role, in directory: TemporaryDirectory, count: Int = 0, killedAt call: Int? = nil
  ) throws -> RunningProcess {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [
      "--testing-library", "swift-testing", "--filter", "RelayPersistenceTests.ProcessTests",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging([
      variables.role: role.rawValue, variables.directory: directory.path,
      variables.count: "\(count)", variables.kill: "\(call ?? -1)",
    ]) { $1 }
    return try RunningProcess(process)
  }

  /// Does the work of a role.
  static func run(_ role: Role) async throws {
    let environment = ProcessInfo.processInfo.environment
    let path = try #require(environment[variables.directory])
    let count = environment[variables.count].flatMap(Int.init) ?? 0
    let killed = environment[variables.kill].flatMap(Int.init) ?? -1
    let calls = Locked(0)
    let call: @Sendable () -> Void = {
      let number = calls.withLock { count in
        defer { count += 1 }
        return count
      }
      if number == killed { kill(getpid(), SIGKILL) }
    }
    var inbox = inbox(path)
    inbox.files.chunkSize = 200
    // The app may be slower than its extensions.
    inbox.fileLimit = .max
    inbox.files.willCall = { _, _ in call() }
    switch role {
    case .extending: try await extend(path, inbox, count)
    case .app: try await importFiles(path, inbox, call)
    }
  }

  static func inbox(_ path: String) -> MutationInbox {
    MutationInbox(directory: URL(fileURLWithPath: path + "/inbox"))
  }

  static func snapshot(_ path: String) -> URL { URL(fileURLWithPath: path + "/todos.snapshot") }

  static func app(
    _ path: String, _ inbox: MutationInbox, entryLimit: Int = 1_000,
    willCall: @escaping @Sendable () -> Void = {}
  ) -> RelayEnvironment {
    var persistence = Persistence.sqlite(directory: URL(fileURLWithPath: path + "/store"))
    persistence = persistence.watched(
      cache: { _ in {} },
      outbox: { _ in
        willCall()
        return willCall
      })
    var options = OutboxOptions(serverHonorsIdempotencyKeys: false)
    options.inbox = inbox
    options.entryLimit = entryLimit
    return RelayEnvironment(
      store: RecordStore(
        configuration: .init(garbageCollection: .manual, persistence: persistence)),
      transport: ExecutedMutations(path: path + "/executed"), outbox: options)
  }

  /// Adds mutations. Before each one, checks that all todos in the snapshot have the same text.
  private static func extend(_ path: String, _ inbox: MutationInbox, _ count: Int) async throws {
    let reader = try? RelayEnvironment(snapshot: snapshot(path), inbox: inbox)
    var last = -1
    for number in 0..<count {
      if let reader {
        try reader.reloadSnapshot()
        let texts = reader.texts()?.map { $0.flatMap(Int.init) ?? -1 } ?? []
        let seen = texts.first ?? -1
        if texts.count != 50 || Set(texts).count != 1 || seen < last {
          Killer.say("torn \(texts) after \(last)")
        }
        last = seen
      }
      Killer.say("adding \(number)")
      let mutation = SetTextMutation.set("\(getpid())-\(number)", to: "\(number)")
      Killer.say("added \(try inbox.add(mutation).id)")
    }
    Killer.say("seen \(last)")
  }

  /// Imports the inbox until everything in it has been sent.
  private static func importFiles(
    _ path: String, _ inbox: MutationInbox, _ call: @escaping @Sendable () -> Void
  ) async throws {
    let outbox = try #require(app(path, inbox, willCall: call).outbox)
    try await outbox.loaded()
    var isLast = false
    while !isLast {
      isLast = try await outbox.importFiles().waitingCount == 0
      for await entries in outbox.observe() where entries.allSatisfy({ $0.state == .unknown }) {
        break
      }
    }
  }
}

/// A running process, and its output.
final class RunningProcess {
  private let process: Process
  private let pipe = Pipe()

  init(_ process: Process) throws {
    self.process = process
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Waits until the process has exited.
  ///
  /// - Returns: The lines that it printed, and whether it was killed.
  func finish() -> (lines: [[String]], isKilled: Bool) {
    let text = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
      line.split(separator: " ").map(String.init)
    }
    return (lines, process.terminationReason == .uncaughtSignal)
  }
}

/// A server that ignores keys, and writes each execution to a file.
struct ExecutedMutations: Transport {
  let path: String

  /// The keys of the executions, in order.
  var executed: [String] {
    ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
      .map(String.init)
  }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    let line = (request.headers["Idempotency-Key"] ?? "") + "\n"
    _ = Array(line.utf8).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    close(file)
    let (id, text) = (request.variables["id"]?.string, request.variables["text"]?.string)
    let body: JSONValue = ["data": todo("setText", id ?? "", text ?? "")]
    return GraphQLResponse(body: body.jsonBytes)
  }
}
