import RelayStore

extension OutboxWork {
  /// The entries that a new one makes superfluous.
  enum Superseded {
    /// The entries that it replaces.
    case replaced([Item])
    /// The entry that it cancels; it is not added.
    case cancelled(Item)
  }

  /// Returns the entries that a new one makes superfluous.
  ///
  /// - Throws: ``RelayError`` with code `request` if an entry of another mutation has its key.
  func superseded(
    by coalescing: OutboxCoalescing?, of operationName: String
  ) throws -> Superseded {
    guard let coalescing else { return .replaced([]) }
    let others = items.filter { $0.record.coalescingKey == coalescing.key }
    if let other = others.map(\.record.entry).first(where: { $0.operationName != operationName }) {
      throw RelayError(
        .request,
        "\"\(operationName)\" and \"\(other.operationName)\" have the coalescing key \"\(coalescing.key)\".",
        operationName: operationName)
    }
    let undone = items.filter {
      $0.record.coalescingKey != nil && $0.record.coalescingKey == coalescing.cancels
        && isUnneeded($0)
    }
    if let last = undone.last { return .cancelled(last) }
    return .replaced(others.filter(isUnneeded))
  }

  /// Whether the server has certainly not executed an entry, and no other depends on it.
  private func isUnneeded(_ item: Item) -> Bool {
    let record = item.record
    guard record.entry.attempts == record.unexecutedAttempts, record.entry.state.isWaiting,
      record.file == nil
    else {
      return false
    }
    let created = created(by: item)
    return !items.contains { other in
      other !== item
        && (other.record.after.contains(record.entry.id)
          || !JSONValue.object(other.record.variables).strings.isDisjoint(with: created))
    }
  }
}

extension OutboxEntry.State {
  fileprivate var isWaiting: Bool {
    switch self {
    case .queued, .blocked: true
    default: false
    }
  }
}
