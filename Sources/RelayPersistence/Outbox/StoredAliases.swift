import Foundation
import RelayStore

/// The server's ids of objects that were created offline, as persisted with the outbox: those of
/// thirty days, and at most ten thousand.
struct StoredAliases {
  private struct Alias {
    let key: Int64
    let placeholder: String
    let id: String
    let date: Date
  }

  private(set) var serverIDs = ServerIDs()
  /// The aliases in ascending order of their keys, oldest first.
  private var aliases: [Alias] = []
  /// The last key, and the last one that is on disk.
  private var (lastKey, lastWritten): (Int64, Int64) = (0, 0)
  /// The keys of removed aliases that are still on disk.
  private var removed: [Int64] = []

  private static let limit = 10_000
  private static let lifetime: TimeInterval = 30 * 24 * 60 * 60

  // MARK: Changing

  mutating func add(_ new: ServerIDs, at date: Date) {
    for (placeholder, id) in new.ids.sorted(by: { $0.key < $1.key }) {
      append(Alias(key: lastKey + 1, placeholder: placeholder, id: id, date: date))
    }
    prune(at: date)
  }

  private mutating func append(_ alias: Alias) {
    aliases.append(alias)
    lastKey = alias.key
    serverIDs.add(alias.id, for: alias.placeholder)
  }

  private mutating func prune(at date: Date) {
    let old = aliases.prefix { date.timeIntervalSince($0.date) > Self.lifetime }.count
    let count = max(old, aliases.count - Self.limit)
    for alias in aliases.prefix(count) {
      removed.append(alias.key)
      if serverIDs.ids[alias.placeholder] == alias.id {
        serverIDs.ids[alias.placeholder] = nil
      }
    }
    aliases.removeFirst(count)
  }

  // MARK: The persisted form

  /// Adds a row of an earlier run; returns whether it is valid. The rows come in ascending order.
  mutating func load(_ contents: [UInt8], key: Int64) -> Bool {
    contents.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      let (placeholder, id) = (reader.text(), reader.text())
      let date = Double(bitPattern: reader.fixed())
      guard reader.isValid, reader.isAtEnd, date.isFinite, key < ByteReader.counterLimit else {
        return false
      }
      append(
        Alias(
          key: key, placeholder: placeholder, id: id, date: Date(timeIntervalSince1970: date)))
      lastWritten = key
      return true
    }
  }

  /// Ends the loading of rows.
  ///
  /// - Parameter isLost: Whether all of them have to be written to a new database.
  mutating func endLoading(at date: Date, isLost: Bool) {
    prune(at: date)
    if isLost { (lastWritten, removed) = (0, []) }
  }

  /// The changes that are not on disk yet; `nil` for a removed row.
  var unwritten: [(key: Int64, contents: [UInt8]?)] {
    removed.map { ($0, nil) }
      + aliases.reversed().prefix { $0.key > lastWritten }.reversed().map { alias in
        var writer = ByteWriter()
        writer.text(alias.placeholder)
        writer.text(alias.id)
        writer.fixed(alias.date.timeIntervalSince1970.bitPattern)
        return (alias.key, writer.bytes)
      }
  }

  /// Notes that all changes are on disk.
  mutating func didWrite() {
    (lastWritten, removed) = (lastKey, [])
  }
}
