import Foundation

/// Where measured times go.
enum Samples {
  nonisolated(unsafe) static var isPrinting = false

  /// CPU time of this thread, in nanoseconds.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Prints how long the closure takes.
  static func measure<Result>(
    _ name: String, times: Int = 1, _ body: () throws -> Result
  ) rethrows -> Result {
    let start = now
    let result = try body()
    let elapsed = now - start
    if isPrinting { print("SAMPLE name=\(name) ns=\(elapsed / UInt64(times))") }
    return result
  }
}
