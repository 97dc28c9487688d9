import Foundation

/// The output of the demonstration. Each line has the time since the start. The timeline also
/// counts the steps that went as expected.
@MainActor final class Timeline {
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private let isColored: Bool
  /// The number of the next step.
  private(set) var nextStep: Int
  private var steps: [(title: String, isExpected: Bool)] = []
  /// The steps of other processes.
  private var others = StepCount()
  /// Whether a step threw an error. Later steps depend on it and are not run.
  private var hasFailed = false
  /// The number of printed requests.
  private(set) var requestCount = 0

  /// - Parameter firstStep: The number of the first step.
  init(firstStep: Int = 1) {
    nextStep = firstStep
    start = clock.now
    isColored = isatty(1) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
  }

  private enum Style: String {
    case bold = "1"
    case dim = "2"
    case good = "32"
    case bad = "1;31"
    case view = "36"
    case network = "33"
  }

  private func styled(_ text: String, _ style: Style) -> String {
    isColored ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  private func line(_ source: String, _ style: Style, _ text: String) {
    let elapsed = (clock.now - start) / .milliseconds(1)
    let time = String(format: "%6.0f ms", elapsed)
    let label = source + String(repeating: " ", count: max(0, 10 - source.count))
    print("\(styled(time, .dim))  \(styled(label, style))  \(text)")
  }

  /// Prints the new content of a view.
  func show(_ view: String, _ text: String) { line(view, .view, text) }

  /// Prints an action of the user.
  func act(_ text: String) { line("you", .bold, text) }

  /// Prints an action of another user of the same server.
  func colleague(_ text: String) { line("colleague", .bold, text) }

  /// Prints a request, and counts it.
  func request(_ operationName: String) {
    requestCount += 1
    network("→ \(operationName)")
  }

  /// Prints a response, or the end of one.
  func network(_ text: String) { line("server", .network, text) }

  /// Prints an action of the store.
  func store(_ text: String) { line("store", .bold, text) }

  /// Prints the start of one of the app's processes.
  func process(_ text: String) { print("\n" + styled("── \(text) ──", .view)) }

  /// Flushes the output before another process prints or this one is killed.
  func flush() { fflush(nil) }

  /// Runs a step of the demonstration. An error fails the step and all later ones.
  func step(_ title: String, _ body: () async throws -> Void) async {
    print("\n" + styled("\(nextStep). \(title)", .bold))
    nextStep += 1
    steps.append((title, true))
    guard !hasFailed else { return check("not run", false) }
    do {
      try await body()
    } catch {
      check("no error is thrown", false, "\(error)")
      hasFailed = true
    }
  }

  /// Prints whether an expectation of the current step holds. A failed expectation fails the step.
  func check(_ expectation: String, _ holds: Bool, _ detail: @autoclosure () -> String = "") {
    let mark = holds ? styled("✓", .good) : styled("✗", .bad)
    let text = holds || detail().isEmpty ? expectation : "\(expectation): \(detail())"
    print("           \(mark) \(holds ? styled(text, .dim) : styled(text, .bad))")
    if !holds { steps[steps.count - 1].isExpected = false }
  }

  /// Prints the summary.
  ///
  /// - Returns: Whether every step went as expected.
  func finish() -> Bool {
    let count = StepCount(all: stepCount.all + others.all, good: stepCount.good + others.good)
    let summary = "demo: \(count.good) of \(count.all) steps as expected"
    print("\n" + styled(summary, count.good == count.all ? .good : .bad))
    return count.good == count.all
  }

  /// The number of steps to date.
  var stepCount: StepCount {
    StepCount(all: steps.count, good: steps.count { $0.isExpected })
  }

  /// Adds another process's steps.
  func add(_ count: StepCount) {
    others.all += count.all
    others.good += count.good
    nextStep += count.all
  }
}

/// A number of steps, and how many of them went as expected.
struct StepCount: Codable {
  var all = 0
  var good = 0
}
