#if DEBUG || RELAYSTORE_CHECK_INVARIANTS
  @testable import RelayStore

  extension LayeredSource {
    /// Checks the invariants of the base, of the connection index, and these, all of which hold
    /// between publishes:
    ///
    /// - Index 0 is the root.
    /// - Every index that is overlaid, linked to, or written by an updater has an id.
    /// - An overlaid record has the id of its index.
    /// - The id of each registered type's record has an index.
    /// - ``drainChanges(previousOverlay:)`` has returned every change of the base.
    ///
    /// - Returns: The first violation, or `nil`.
    /// - Complexity: O(*n*) in the records and their fields.
    func checkInvariants() -> String? {
      if let violation = base.checkInvariants()
        ?? observers.connectionEdges.checkInvariants(in: base)
      {
        return violation
      }
      if id(of: RecordIndex(0)) != .root { return "LayeredSource: index 0 is not the root." }
      if !changedInBase.isEmpty {
        return "LayeredSource: \(changedInBase.count.counted("change")) of the base not drained."
      }
      for (index, record) in overlay where record.box.id != id(of: index) {
        return "LayeredSource: \"\(record.box.id)\" is overlaid at \(index.position)."
      }
      for index in observers.clientWritten.fields.keys where id(of: index) == nil {
        return "LayeredSource: \(index.position) was written by an updater and has no id."
      }
      for name in registeredTypes where self.index(of: .typeSchema(name.text)) == nil {
        return "LayeredSource: type \"\(name.text)\" has no type schema record."
      }
      let base = (0..<base.indexBound).compactMap { self.base[RecordIndex($0)] }
      return checkLinks(of: base) ?? checkLinks(of: overlay.values.map(\.box))
    }

    private func checkLinks(of records: [RecordBox]) -> String? {
      for record in records {
        var violation: String?
        record.forEachLink { link in
          if id(of: link) == nil {
            violation = "LayeredSource: \"\(record.id)\" links to \(link.position), without an id."
          }
        }
        if let violation { return violation }
      }
      return nil
    }
  }
#endif
