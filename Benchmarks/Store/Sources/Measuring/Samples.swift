import Foundation

/// The measurement and output of samples.
public enum Samples {
  /// Whether samples are printed.
  ///
  /// Unsafe, but only the main task writes it, and only while no case runs.
  nonisolated(unsafe) public static var isPrinting = false
  /// The name of the sample whose instructions callgrind counts; see ``counted(_:)``.
  static let countedName: String? = {
    let arguments = CommandLine.arguments
    return arguments.count > 4 && arguments[1] == "only" ? arguments[4] : nil
  }()

  /// The CPU time of this thread, in nanoseconds.
  public static var now: UInt64 { time(of: CLOCK_THREAD_CPUTIME_ID) }

  /// The CPU time of all threads, in nanoseconds. It includes work that hops between threads.
  public static var processNow: UInt64 { time(of: CLOCK_PROCESS_CPUTIME_ID) }

  /// The wall time, in nanoseconds.
  public static var wall: UInt64 { time(of: CLOCK_MONOTONIC) }

  private static func time(of clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Prints a sample if ``isPrinting`` is set.
  public static func record(_ name: String, nanoseconds: UInt64) {
    if isPrinting { print("SAMPLE name=\(name) ns=\(nanoseconds)") }
  }

  /// Runs `body`, and prints the CPU time of this thread, divided by `times`.
  public static func measure<Result>(
    _ name: String, times: Int = 1, _ body: () throws -> Result
  ) rethrows -> Result {
    if name == countedName { return try counted(body) }
    let start = now
    let result = try body()
    record(name, nanoseconds: (now - start) / UInt64(times))
    return result
  }

  /// Runs `body`, and prints the CPU time of all threads.
  public static func measureProcess<Result>(
    _ name: String, _ body: () throws -> Result
  ) rethrows -> Result {
    if name == countedName { return try counted(body) }
    let start = processNow
    let result = try body()
    record(name, nanoseconds: processNow - start)
    return result
  }

  /// Runs `body` inside a function whose name selects the region that callgrind counts.
  private static func counted<Result>(_ body: () throws -> Result) rethrows -> Result {
    var result: Result?
    try callgrindRegion { result = try body() }
    // `result` is set, because `callgrindRegion` has run the closure.
    return try result ?? body()
  }

  @inline(never)
  private static func callgrindRegion(_ body: () throws -> Void) rethrows { try body() }
}
