import Foundation
import RelayPersistence
import RelayStore
import TaskTrackerServer

/// The demonstration without a network: starts the app, kills it and starts it again. It compares
/// the mutations that its server received with the rows that the app shows.
@MainActor final class OfflineDemo {
  private let timeline = Timeline()
  private let server: KeyedServer
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("TaskTracker-\(UUID().uuidString)")
  private var process: Process?
  private var reports: [OfflineApp.Run: OfflineApp.Report] = [:]
  /// The runs whose process ended as expected.
  private var orderlyRuns: [OfflineApp.Run] = []

  init() throws { server = KeyedServer(next: try TaskTracker()) }

  /// Runs the demonstration without leaving files behind.
  ///
  /// - Returns: Whether every step went as expected.
  func run() async throws -> Bool {
    let interruptions = [SIGINT, SIGTERM].map(cleanUpAfter)
    defer { for interruption in interruptions { interruption.cancel() } }
    let listener = try HTTPListener(server)
    defer { listener.stop() }
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    timeline.process("The app starts for the first time, with a network")
    try await start(.first, at: listener.url)
    timeline.process("The app starts again, without a network")
    try await start(.killed, at: listener.url)
    timeline.process("The app starts again, still without a network")
    try await start(.last, at: listener.url)
    timeline.process("The server")
    await timeline.step("The server has executed each change once", compare)
    return timeline.finish()
  }

  // MARK: Processes

  /// Starts the app and waits for its report. Then kills it, or waits until it exits.
  private func start(_ run: OfflineApp.Run, at endpoint: String) async throws {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = [
      "--offline-app", "\(run)", directory.path, endpoint, "\(timeline.nextStep)",
    ]
    timeline.flush()
    try process.run()
    self.process = process
    let file = OfflineApp.Report.file(of: run, in: directory)
    let deadline = ContinuousClock.now + .seconds(60)
    while process.isRunning, ContinuousClock.now < deadline {
      if run == .killed, FileManager.default.fileExists(atPath: file.path) { break }
      try await Task.sleep(for: .milliseconds(5))
    }
    if process.isRunning {
      timeline.act("kill -KILL \(process.processIdentifier)")
      kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
    self.process = nil
    let isKilled = process.terminationReason == .uncaughtSignal
    if isKilled == (run == .killed), process.terminationStatus == (isKilled ? SIGKILL : 0) {
      orderlyRuns.append(run)
    }
    let report = (try? Data(contentsOf: file)).flatMap {
      try? JSONDecoder().decode(OfflineApp.Report.self, from: $0)
    }
    reports[run] = report
    timeline.add(report?.steps ?? StepCount(all: 1))
  }

  /// Kills the app, and removes its files, when this process receives a signal.
  private func cleanUpAfter(_ number: CInt) -> any DispatchSourceSignal {
    // The dispatch source receives it instead of the default action.
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler {
      MainActor.assumeIsolated {
        if let process = self.process, process.isRunning {
          kill(process.processIdentifier, SIGKILL)
          process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: self.directory)
        exit(128 + number)
      }
    }
    source.resume()
    return source
  }

  // MARK: The last step

  private func compare() async throws {
    timeline.check(
      "one process was killed, two have ended", orderlyRuns == OfflineApp.Run.allCases,
      "as expected: \(orderlyRuns.map(\.rawValue))")
    let mutations = await server.mutations
    for mutation in mutations {
      timeline.network("\(mutation.operationName), \(mutation.requestCount.counted("request"))")
    }
    timeline.check(
      "4 keys were received, each once, in the order of the changes",
      mutations.map(\.requestCount) == [1, 1, 1, 1]
        && Set(mutations.prefix(3).map(\.operationName)).count == 3
        && mutations.last?.operationName == "SetStatusMutation")
    timeline.check(
      "the keys are those that the killed process has stored",
      Set(mutations.map(\.key)) == Set(reports[.killed]?.keysAtEnd ?? [])
        && reports[.killed]?.keysAtEnd == reports[.last]?.keysAtStart)
    let other = RelayEnvironment(transport: server)
    _ = try await other.fetch(OfflineListQuery())
    let list = OfflineList(in: other, on: nil)
    let isShown = try await list?.shows(5) ?? false
    timeline.check("another client sees 5 tasks", isShown)
    timeline.check(
      "they are as in the app", isShown && list?.texts == reports[.last]?.rows,
      "\(list?.texts ?? [])")
  }
}
