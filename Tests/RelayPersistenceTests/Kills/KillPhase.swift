import Foundation
import RelayStore

/// A step of the storage or of the outbox, in which a process is killed.
enum KillPhase: String, CaseIterable {
  /// A batch is written.
  case commit
  /// The write-ahead log is copied to the database, which is closed.
  case checkpoint
  /// A batch is written that ends a compaction of the log of records.
  case compaction
  /// A batch is written, and free pages are returned to the file system.
  case vacuum
  /// A cache of another version is replaced, and the outbox is loaded.
  case migration
  case wipe
  /// An entry is stored.
  case queueing
  /// An entry is marked as being sent, and the server executes it.
  case sending
  /// An answer is written to its entry.
  case acknowledging
  /// An answer is merged, and the store flushed.
  case merging
  /// An entry is removed.
  case removing
}

/// The moment at which a process kills itself: a number of microseconds after a phase has begun for
/// the nth time, or when that phase ends, if it is shorter.
struct KillMoment {
  var phase: KillPhase
  var pass: Int
  var microseconds: Int

  init(phase: KillPhase, pass: Int, microseconds: Int) {
    self.phase = phase
    self.pass = pass
    self.microseconds = microseconds
  }

  init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 3, let phase = KillPhase(rawValue: words[0]), let pass = Int(words[1]),
      let microseconds = Int(words[2])
    else { return nil }
    self.init(phase: phase, pass: pass, microseconds: microseconds)
  }

  var text: String { "\(phase.rawValue) \(pass) \(microseconds)" }
}

/// Prints the phases of this process, and kills it at a moment.
///
///     begin PHASE
///     end PHASE MICROSECONDS
final class Killer: Sendable {
  private struct State {
    var passes = 0
    var start: [KillPhase: ContinuousClock.Instant] = [:]
    /// The time of the kill.
    var deadline: ContinuousClock.Instant?
    /// Whether the thread that kills is running.
    var isWaiting = false
  }

  let moment: KillMoment
  private let state = Locked(State())

  init(_ moment: KillMoment) { self.moment = moment }

  func begin(_ phase: KillPhase) {
    let isLast = state.withLock { state in
      if phase == moment.phase { state.passes += 1 }
      return phase == moment.phase && state.passes == moment.pass
    }
    if isLast { startThread() }
    Self.say("begin \(phase.rawValue)")
    let now = ContinuousClock.now
    state.withLock { state in
      state.start[phase] = now
      if isLast { state.deadline = now + .microseconds(moment.microseconds) }
    }
  }

  func end(_ phase: KillPhase) {
    let now = ContinuousClock.now
    let (start, isLast) = state.withLock { state in
      (state.start.removeValue(forKey: phase), phase == moment.phase && state.deadline != nil)
    }
    guard let start else { return }
    Self.say("end \(phase.rawValue) \((now - start) / .microseconds(1))")
    if isLast { kill(getpid(), SIGKILL) }
  }

  /// Starts the thread that kills, and waits until it runs.
  private func startThread() {
    Thread.detachNewThread { [self] in
      state.withLock { $0.isWaiting = true }
      while !(state.withLock { $0.deadline }.map { $0 <= .now } ?? false) {}
      kill(getpid(), SIGKILL)
    }
    while !state.withLock({ $0.isWaiting }) {}
  }

  /// Prints a line with one call, so that lines of several threads do not mix.
  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
