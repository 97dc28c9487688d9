/// A part of a response that an operation may wait for: the fields of a deferred fragment, or the
/// rest of a streamed list.
package struct PartLabel: Sendable {
  /// The label in the operation sent to the server, such as `Profile$defer$Photos_person`.
  package var label: String
  /// The name of the deferred fragment; empty for a list.
  package var fragment: String

  /// Whether the part is the rest of a streamed list.
  package var isStreamed: Bool { fragment.isEmpty }

  package init(label: String, fragment: String = "") {
    self.label = label
    self.fragment = fragment
  }
}

/// A part of one record.
package struct RecordPart: Sendable {
  package var record: DataID
  /// The index of its label in the operation's labels.
  package var label: Int

  package init(record: DataID, label: Int) {
    self.record = record
    self.label = label
  }
}

/// The changes that one payload makes to the parts its execution waits for.
package struct RecordPartChanges: Sendable {
  /// The parts that the payload announced.
  package var added: [RecordPart] = []
  /// The parts that have arrived or failed.
  package var removed: [RecordPart] = []
  /// The records with a streamed list whose rest has failed.
  var failedLists: [DataID] = []
  /// The labels of the parts in the payload, in order, without consecutive repetitions; empty for a
  /// part without a label.
  package var received: [String] = []
  /// The number of parts that are pending after the payload.
  package var count = 0
  /// Whether the payload completes or fails a part or a list.
  var endsParts: Bool { !received.isEmpty || !failedLists.isEmpty }

}

/// The parts of all responses that have not arrived, by label and record.
struct PendingParts: BaseObserver {
  private struct Entry {
    let part: PendingPart
    let label: PartLabel
    /// The records that at least one execution waits for.
    var records = RecordSet()
    package var count = 0
    /// The number of additional executions that wait for the same part of a record.
    var others: [RecordIndex: Int] = [:]
  }

  /// The labels that executions have waited for since the store was created.
  private var entries: [Entry] = []
  private var positions: [ByteString: Int] = [:]
  /// The number of pending parts.
  private var count = 0

  /// Calls the closure with every record that has pending parts.
  func forEachRecord(_ body: (RecordIndex) -> Void) {
    for entry in entries where entry.count > 0 { entry.records.forEach(body) }
  }

  mutating func baseWasCleared() { self = PendingParts() }

  /// Whether no part is pending.
  var isEmpty: Bool { count == 0 }

  /// Returns the position of a label, used to insert and remove its parts.
  mutating func position(of label: PartLabel) -> Int {
    if let position = positions[ByteString(label.label)] { return position }
    positions[ByteString(label.label)] = entries.count
    entries.append(Entry(part: PendingPart(qualifiedLabel: label.label), label: label))
    return entries.count - 1
  }

  /// Adds a part that one more execution waits for.
  ///
  /// - Returns: Whether the part was not pending before.
  mutating func insert(_ position: Int, of record: RecordIndex) -> Bool {
    guard entries[position].records.insert(record) else {
      entries[position].others[record, default: 0] += 1
      return false
    }
    entries[position].count += 1
    count += 1
    return true
  }

  /// Removes a part that one execution was waiting for.
  ///
  /// - Returns: Whether the part is no longer pending.
  mutating func remove(_ position: Int, of record: RecordIndex) -> Bool {
    guard entries[position].records.contains(record) else { return false }
    if !entries[position].others.isEmpty, let others = entries[position].others[record] {
      entries[position].others[record] = others > 1 ? others - 1 : nil
      return false
    }
    entries[position].records.remove(record)
    entries[position].count -= 1
    count -= 1
    if entries[position].count == 0 { entries[position].records = RecordSet() }
    return true
  }

  /// Returns the pending parts of a definition that was read, each once: the parts it waits for,
  /// and the deferred part that it is itself.
  ///
  /// - Parameters:
  ///   - definition: The name of the fragment or operation.
  ///   - root: The record that it was read from.
  ///   - forEachRecord: Calls a closure with each record that was read, until it returns `false`.
  /// - Complexity: O(*n*) in the records that were read, if the definition has pending parts.
  func parts(
    of definition: String, at root: RecordIndex,
    forEachRecord: ((RecordIndex) -> Bool) -> Void
  ) -> [PendingPart] {
    var found: [PendingPart] = []
    var own: [Entry] = []
    for entry in entries where entry.count > 0 {
      if entry.label.fragment.hasSameBytes(as: definition), entry.records.contains(root),
        !found.contains(entry.part)
      {
        found.append(entry.part)
      }
      if entry.part.owner.hasSameBytes(as: definition) { own.append(entry) }
    }
    own.removeAll { found.contains($0.part) }
    if !own.isEmpty {
      forEachRecord { record in
        while let entry = own.first(where: { $0.records.contains(record) }) {
          found.append(entry.part)
          own.removeAll { $0.part == entry.part }
        }
        return !own.isEmpty
      }
    }
    return found.count < 2 ? found : found.sorted(byBytes: \.description)
  }
}
