#if os(Linux)
  import Foundation
  import Testing

  /// A process whose tests wait forever, each until its time limit of a minute, so the suite has 4
  /// minutes.
  @Suite("Time limits of tests that hang", .timeLimit(.minutes(4)))
  struct TimeLimitProcessTests {
    @Test("a suite whose waits never end is ended by its time limit, and the tests beside it pass")
    func ends() async throws {
      let log = FileManager.default.temporaryDirectory
        .appending(path: "relaystore-time-limit-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: log) }
      let status = try await run(writing: log)
      let output = try String(contentsOf: log, encoding: .utf8)
      // The test library does not report errors thrown after the time limit.
      #expect(status == EXIT_FAILURE, "\(output.suffix(2000))")
      #expect(
        output.components(separatedBy: "Time limit was exceeded: 60.000 seconds").count - 1
          >= EndlessWait.all.count, "\(output)")
      #expect(output.contains("Suite \"Waiting for gates and clocks\" passed"), "\(output)")
    }

    /// Runs the endless waits in a separate process, next to another suite.
    ///
    /// - Returns: The exit status of the process.
    private func run(writing log: URL) async throws -> Int32 {
      try #require(FileManager.default.createFile(atPath: log.path, contents: nil))
      let output = try FileHandle(forWritingTo: log)
      let process = Process()
      process.executableURL = URL(filePath: CommandLine.arguments[0])
      process.arguments = [
        "--testing-library", "swift-testing", "--filter",
        "RelayStoreTestingTests.(EndlessWaitTests|WaitingTests)",
      ]
      process.environment = ProcessInfo.processInfo.environment.merging([
        EndlessWaitTests.variable: "1"
      ]) { $1 }
      process.standardOutput = output
      process.standardError = output
      let (ends, end) = AsyncStream<Void>.makeStream()
      process.terminationHandler = { _ in end.finish() }
      try process.run()
      // This suite's time limit cancels the task, which ends the iteration.
      for await _ in ends {}
      if process.isRunning { process.terminate() }
      process.waitUntilExit()
      return process.terminationStatus
    }
  }
#endif
