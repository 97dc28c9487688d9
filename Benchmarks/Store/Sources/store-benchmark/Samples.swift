import Foundation

/// Where measured times go.
enum Samples {
  nonisolated(unsafe) static var isPrinting = false
  /// The sample whose instructions are counted from outside; see ``counted(_:)``.
  static let countedName: String? = {
    let arguments = CommandLine.arguments
    return arguments.count > 4 && arguments[1] == "only" ? arguments[4] : nil
  }()

  /// CPU time of this thread, in nanoseconds.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// CPU time of all threads, in nanoseconds: what hops between them is counted wherever it runs.
  static var processNow: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Prints a time.
  static func note(_ name: String, _ nanoseconds: UInt64) {
    if isPrinting { print("SAMPLE name=\(name) ns=\(nanoseconds)") }
  }

  /// Prints how long the closure takes.
  static func measure<Result>(
    _ name: String, times: Int = 1, _ body: () throws -> Result
  ) rethrows -> Result {
    if name == countedName { return try counted(body) }
    let start = now
    let result = try body()
    let elapsed = now - start
    note(name, elapsed / UInt64(times))
    return result
  }

  /// Runs the closure in a function that callgrind can be told of by its name.
  private static func counted<Result>(_ body: () throws -> Result) rethrows -> Result {
    var result: Result?
    try callgrindRegion { result = try body() }
    // The closure has run.
    return try result ?? body()
  }

  @inline(never)
  private static func callgrindRegion(_ body: () throws -> Void) rethrows { try body() }
}
