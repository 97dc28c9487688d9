#if DEBUG || RELAYSTORE_CHECK_INVARIANTS
  @testable import RelayStore

  extension ObserverTable {
    /// Checks these invariants:
    ///
    /// - `count` is the number of observers, and the free list has the other slots, each once.
    /// - Links form one list for each record, without a cycle, and every link is in one.
    /// - Each record that an observer has seen has a link to the observer.
    /// - At most `staleCount` links belong to removed observers.
    /// - No observer has an ordinal above `lastOrdinal` or a last pass above `pass`.
    ///
    /// - Returns: The first violation, or `nil`.
    /// - Complexity: O(*n*) in the links and the records seen.
    func checkInvariants() -> String? {
      let living = observers.indices.filter { observers[$0] != nil }
      if living.count != count {
        return "ObserverTable: count is \(count), not \(living.count)."
      }
      if Set(free).count != free.count || free.count + living.count != observers.count
        || free.contains(where: { Int($0) >= observers.count || observers[Int($0)] != nil })
      {
        return "ObserverTable: the free list \(free) does not have the \(observers.count) slots."
      }
      for case let observer? in observers
      where observer.ordinal > lastOrdinal || observer.lastPass > pass {
        return
          "ObserverTable: observer \(observer.ordinal) is newer than \(lastOrdinal), pass \(pass)."
      }
      return checkLinks()
    }

    private func checkLinks() -> String? {
      var (reached, stale) = (0, 0)
      var linked: [UInt64: Set<RecordIndex>] = [:]
      for (record, head) in heads.enumerated() {
        var position = head
        while position != Self.noLink {
          let link = links[Int(position)]
          if link.next != Self.noLink, link.next >= position {
            return "ObserverTable: the links of record \(record) run in a circle."
          }
          reached += 1
          if observers[Int(link.slot)]?.ordinal == link.ordinal {
            linked[link.ordinal, default: []].insert(RecordIndex(record))
          } else {
            stale += 1
          }
          position = link.next
        }
      }
      if reached != links.count {
        return "ObserverTable: records have \(reached.counted("link")), of \(links.count)."
      }
      if stale > staleCount {
        return "ObserverTable: the estimate of stale links is \(staleCount), not \(stale)."
      }
      for case let observer? in observers {
        var missing: RecordIndex?
        observer.snapshot.seen.forEach {
          if linked[observer.ordinal]?.contains($0) != true { missing = $0 }
        }
        if let missing {
          return
            "ObserverTable: record \(missing.position) does not lead to observer \(observer.ordinal)."
        }
      }
      return nil
    }
  }
#endif
