import Foundation

/// The measurement and output of samples.
enum Samples {
  /// Whether samples are printed.
  ///
  /// Unsafe, but the main task alone writes it, and only while no case runs.
  nonisolated(unsafe) static var isPrinting = false
  /// The name of the sample whose instructions callgrind counts; see ``counted(_:)``.
  static let countedName: String? = {
    let arguments = CommandLine.arguments
    return arguments.count > 4 && arguments[1] == "only" ? arguments[4] : nil
  }()

  /// The CPU time of this thread, in nanoseconds.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The CPU time of all threads, in nanoseconds. It includes work that hops between threads.
  static var processNow: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Prints a sample, if ``isPrinting``.
  static func record(_ name: String, nanoseconds: UInt64) {
    if isPrinting { print("SAMPLE name=\(name) ns=\(nanoseconds)") }
  }

  /// Runs `body`, and prints its CPU time divided by `times`.
  static func measure<Result>(
    _ name: String, times: Int = 1, _ body: () throws -> Result
  ) rethrows -> Result {
    if name == countedName { return try counted(body) }
    let start = now
    let result = try body()
    let elapsed = now - start
    record(name, nanoseconds: elapsed / UInt64(times))
    return result
  }

  /// Runs `body` inside a function whose name selects the region that callgrind counts.
  private static func counted<Result>(_ body: () throws -> Result) rethrows -> Result {
    var result: Result?
    try callgrindRegion { result = try body() }
    // `result` is set: `callgrindRegion` has run the closure.
    return try result ?? body()
  }

  @inline(never)
  private static func callgrindRegion(_ body: () throws -> Void) rethrows { try body() }
}
