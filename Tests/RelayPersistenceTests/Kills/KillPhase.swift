import Foundation
import RelayStore

/// A step of the storage or the outbox during which a process is killed.
enum KillPhase: String, CaseIterable {
  /// A batch is written.
  case commit
  /// The write-ahead log is copied into the database, and the database is closed.
  case checkpoint
  /// A batch is written that completes a compaction of the record log.
  case compaction
  /// A batch is written, and free pages are returned to the file system.
  case vacuum
  /// A cache with another version is replaced, and the outbox is loaded.
  case migration
  case wipe
  /// An entry is persisted.
  case queueing
  /// An entry is marked as sending, and the server executes it.
  case sending
  /// A response is written to its entry.
  case acknowledging
  /// A response is merged, and the store is flushed.
  case merging
  /// An entry is removed.
  case removing
}

/// The moment at which a process kills itself: a number of microseconds after a phase has started
/// for the nth time, or at the end of a shorter phase.
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

/// Prints the phases of this process, and kills it at a certain moment.
///
///     begin PHASE
///     end PHASE MICROSECONDS
final class Killer: Sendable {
  private struct State {
    var passes = 0
    var start: [KillPhase: ContinuousClock.Instant] = [:]
    /// The time of the kill.
    var deadline: ContinuousClock.Instant?
    /// Whether the killing thread is running.
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

  /// Starts the killing thread, and waits until it runs.
  private func startThread() {
    Thread.detachNewThread { [self] in
      state.withLock { $0.isWaiting = true }
      while !(state.withLock { $0.deadline }.map { $0 <= .now } ?? false) {}
      kill(getpid(), SIGKILL)
    }
    while !state.withLock({ $0.isWaiting }) {}
  }

  /// Prints a line with a single call, so that lines from several threads do not mix.
  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
