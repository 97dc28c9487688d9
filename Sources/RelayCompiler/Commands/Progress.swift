import Foundation

/// Does work, and shows what it is on standard error after a second: a line on a terminal that
/// counts the seconds, and is removed at the end.
package func withProgress<Result, Failure: Error>(
  _ text: String, _ work: () throws(Failure) -> Result
) throws(Failure) -> Result {
  let terminal = Terminal(STDERR_FILENO)
  guard terminal.canReplaceLines else { return try work() }
  let line = ProgressLine(text, terminal)
  defer { line.remove() }
  return try work()
}

/// A line on standard error that another thread repeats each second.
private struct ProgressLine {
  private let isDone = DispatchSemaphore(value: 0)
  private let isRemoved = DispatchSemaphore(value: 0)

  init(_ text: String, _ terminal: Terminal) {
    Thread.detachNewThread { [isDone, isRemoved] in
      func write(_ text: String) {
        let erasing = "\r\u{1B}[K"
        // A failure to write standard error has nowhere to be reported.
        try? writeAll(Array((erasing + text).utf8), to: STDERR_FILENO, named: "<stderr>")
      }
      var seconds = 0
      while isDone.wait(timeout: .now() + .seconds(1)) == .timedOut {
        seconds += 1
        write(String("\(text)… \(seconds) s".prefix(terminal.width - 1)))
      }
      if seconds > 0 { write("") }
      isRemoved.signal()
    }
  }

  func remove() {
    isDone.signal()
    isRemoved.wait()
  }
}
