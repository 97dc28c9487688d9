/// A part of a response, and the record that it belongs to: the fields of a deferred fragment, or
/// the rest of a streamed list.
package struct RecordPart: Sendable {
  package var record: DataID
  /// The label that is sent to the server, such as `Profile$defer$Photos_person`; empty if the
  /// server does not return it.
  package var label: String
  /// The name of the deferred fragment; empty for a list.
  package var fragment: String

  package init(record: DataID, label: String, fragment: String = "") {
    self.record = record
    self.label = label
    self.fragment = fragment
  }
}

extension RecordPart: Hashable {
  package static func == (left: RecordPart, right: RecordPart) -> Bool {
    left.record == right.record && left.label.hasSameBytes(as: right.label)
      && left.fragment.hasSameBytes(as: right.fragment)
  }

  /// Hashes the record and the label, which the fragment follows from.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(record)
    label.hashBytes(into: &hasher)
  }
}

/// The parts that an execution waits for, as one of its payloads changes them.
package struct RecordPartChanges: Sendable {
  /// The parts that the payload has announced.
  package var added: [RecordPart] = []
  /// The parts that have arrived or failed.
  package var removed: [RecordPart] = []

  package init() {}
}

/// The parts of all responses that have not arrived, by record.
struct PendingParts {
  private struct Entry {
    let label: String
    let part: PendingPart
    let fragment: String
    /// The number of executions that wait for the part.
    var count = 1
  }

  private var entries: [RecordIndex: [Entry]] = [:]
  /// The number of entries of each part.
  private var counts: [PendingPart: Int] = [:]
  /// The records that have or had pending parts. It is emptied with the last entry.
  private var records = RecordSet()
  /// The last label that was inserted, and its part: many records wait for parts with one label.
  private var last: (label: String, part: PendingPart)?

  /// Calls the closure with every record that has pending parts.
  func forEachRecord(_ body: (RecordIndex) -> Void) { for record in entries.keys { body(record) } }

  /// Whether no part is pending.
  var isEmpty: Bool { entries.isEmpty }

  /// Adds a part that one more execution waits for.
  ///
  /// - Returns: Whether the part was not pending before.
  mutating func insert(_ part: RecordPart, of record: RecordIndex) -> Bool {
    if let index = entries.index(forKey: record),
      let position = position(of: part, in: entries.values[index])
    {
      entries.values[index][position].count += 1
      return false
    }
    if last?.label.hasSameBytes(as: part.label) != true {
      last = (part.label, PendingPart(qualifiedLabel: part.label))
    }
    let entry = Entry(
      label: part.label, part: last?.part ?? PendingPart(qualifiedLabel: part.label),
      fragment: part.fragment)
    entries[record, default: []].append(entry)
    counts[entry.part, default: 0] += 1
    records.insert(record)
    return true
  }

  /// Removes a part that one execution has waited for.
  ///
  /// - Returns: Whether the part is not pending any more.
  mutating func remove(_ part: RecordPart, of record: RecordIndex) -> Bool {
    guard let index = entries.index(forKey: record),
      let position = position(of: part, in: entries.values[index])
    else { return false }
    if entries.values[index][position].count > 1 {
      entries.values[index][position].count -= 1
      return false
    }
    let entry = entries.values[index].remove(at: position)
    if entries.values[index].isEmpty { entries.remove(at: index) }
    counts[entry.part, default: 1] -= 1
    if counts[entry.part] == 0 { counts[entry.part] = nil }
    if entries.isEmpty { records = RecordSet() }
    return true
  }

  private func position(of part: RecordPart, in entries: [Entry]) -> Int? {
    entries.firstIndex { $0.label.hasSameBytes(as: part.label) }
  }

  /// Returns the pending parts of a definition that was read, each once: those that it waits for
  /// itself, and the part that it is.
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
    for entry in entries[root] ?? [] where entry.fragment.hasSameBytes(as: definition) {
      if !found.contains(entry.part) { found.append(entry.part) }
    }
    let own = counts.keys.filter { $0.owner.hasSameBytes(as: definition) }
    var missing = own.count - found.count { own.contains($0) }
    if missing > 0 {
      forEachRecord { record in
        guard records.contains(record) else { return true }
        for entry in entries[record] ?? [] where entry.part.owner.hasSameBytes(as: definition) {
          guard !found.contains(entry.part) else { continue }
          found.append(entry.part)
          missing -= 1
        }
        return missing > 0
      }
    }
    return found.count < 2 ? found : found.sorted { $0.description.precedesByBytes($1.description) }
  }
}
