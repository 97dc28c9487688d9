import Foundation
import RelayStore

/// The name of a file in an inbox: a time and the process that added it. Files are imported in the
/// order of their names.
struct InboxFileName {
  /// The microseconds since 1970, increased if necessary to be later than every file already
  /// present.
  private let time: UInt64
  /// A random number that identifies the process, in hexadecimal digits.
  let process: String

  private static let ownProcess = UInt64.random(in: 0 ... .max).padded(to: 16, radix: 16)
  /// The time of the last file added by this process.
  private static let lastTime = Locked<UInt64>(0, rank: .leaf)
  private static let suffix = ".mutation"

  /// Creates the name of this process's next file.
  init(date: Date, after last: InboxFileName?) {
    process = Self.ownProcess
    let now = UInt64(max(0, min(date.timeIntervalSince1970 * 1e6, 1e18)))
    // Ignore a file dated far in the future, because all later names would overflow.
    let others = last.map { $0.time < 1 << 62 ? $0.time : 0 } ?? 0
    time = Self.lastTime.withLock { lastTime in
      lastTime = max(now, lastTime + 1, others + 1)
      return lastTime
    }
  }

  /// Parses a name; `nil` if it is not a valid mutation file name.
  init?(_ text: String) {
    guard text.hasSuffix(Self.suffix) else { return nil }
    let parts = text.dropLast(Self.suffix.count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 16 }),
      let time = UInt64(parts[0], radix: 16), UInt64(parts[1], radix: 16) != nil
    else { return nil }
    self.time = time
    process = String(parts[1])
  }

  var text: String { "\(time.padded(to: 16, radix: 16))-\(process)\(Self.suffix)" }
}
