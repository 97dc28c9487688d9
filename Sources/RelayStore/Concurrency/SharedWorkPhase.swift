/// The phase of a ``SharedWork``. The transitions:
///
///     ready    →  running | ended | abandoned
///     running  →  sealed | ended | abandoned
///     sealed   →  resumed | ended
///     resumed  →  sealed | ended | abandoned
enum SharedWorkPhase<Value: Sendable>: Sendable {
  typealias Work = @Sendable () async throws -> Value
  typealias Outcome = Result<Value, any Error>

  /// No caller has started the work.
  case ready(Work)
  /// The work runs; its task is `nil` until the call that starts it returns.
  case running(Task<Void, Never>?)
  /// The work can no longer be abandoned: its waiters receive its outcome.
  case sealed(Task<Void, Never>?)
  /// The work has passed on a value that is not its outcome, and continues.
  // Indirect, so that a phase takes two words: it is copied in the critical section.
  indirect case resumed(Task<Void, Never>?, Value)
  /// Every caller left before there was an outcome; a later caller needs new work.
  case abandoned
  /// The work has returned or thrown, or was cancelled for all callers.
  indirect case ended(Outcome)

  /// The task that runs the work; `nil` before the work starts and after it ends.
  var task: Task<Void, Never>? {
    switch self {
    case .running(let task), .sealed(let task), .resumed(let task, _): task
    case .ready, .abandoned, .ended: nil
    }
  }

  mutating func transition(to next: Self) {
    assert(canBecome(next), "Shared work cannot go from \(self) to \(next).")
    self = next
  }

  private func canBecome(_ next: Self) -> Bool {
    switch (self, next) {
    case (.ready, .running), (.running, .running), (.running, .sealed), (.sealed, .sealed): true
    case (.sealed, .resumed), (.resumed, .resumed), (.resumed, .sealed): true
    case (.ready, .abandoned), (.running, .abandoned), (.resumed, .abandoned): true
    case (.ready, .ended), (.running, .ended), (.sealed, .ended), (.resumed, .ended): true
    default: false
    }
  }
}
