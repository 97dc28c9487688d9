/// Removes the ended observers of all stores of the process, some time after the first has ended,
/// when the others of the same screen have ended too.
///
/// With a task for each unmounted screen, the tasks took up to 8 % of the CPU time of committing,
/// mounting and unmounting the screens.
final class RemovalTimer: Sendable {
  static let shared = RemovalTimer()

  /// The removals to be made when the task wakes up; none if there is no task.
  private let removals = Locked<[@Sendable () -> Void]>([], rank: .leaf)

  /// Calls `remove` within 10 ms.
  func start(_ remove: @escaping @Sendable () -> Void) {
    let isFirst = removals.withLock { removals in
      removals.append(remove)
      return removals.count == 1
    }
    guard isFirst else { return }
    Task.detached(priority: .utility) { [removals] in
      try? await Task.sleep(for: .milliseconds(10))
      var due = removals.withLock { $0.drain() }
      while let remove = due.popLast() { remove() }
    }
  }
}
