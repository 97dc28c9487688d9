#if DEBUG || RELAYSTORE_CHECK_INVARIANTS
  @testable import RelayStore

  extension RetentionTable {
    /// Checks that no retain count is negative, and that the release buffer has exactly the
    /// operations that are neither retained nor pinned, each once, and no more than ``bufferSize``.
    ///
    /// - Returns: The first violation, or `nil`.
    func checkInvariants() -> String? {
      if let entry = entries.first(where: { $0.value.count < 0 }) {
        return "RetentionTable: \"\(entry.key.name)\" has the retain count \(entry.value.count)."
      }
      if buffer.count > bufferSize {
        return
          "RetentionTable: the buffer has \(buffer.count.counted("operation")), of \(bufferSize)."
      }
      let released = Set(entries.filter { $0.value.count == 0 && !$0.value.isPinned }.keys)
      return Set(buffer) == released && buffer.count == released.count
        ? nil
        : "RetentionTable: the buffer has \(buffer.count.counted("operation")), and the released ones are \(released.count)."
    }
  }
#endif
