import Foundation
import RelayStore

/// The persisted form of an operation whose data is retained.
struct PersistedRoot: Sendable {
  package var identity: RequestIdentity
  var root: DataID
  /// The date of the last response; `nil` before the first one.
  package var fetchedAt: Date?
  /// The time for which the response is fresh, as specified by the server.
  package var maxAge: Duration?
  /// The epoch of the last response.
  var epoch: UInt64 = 0
  /// Whether the operation was marked as stale since then.
  package var isStale = false
  /// Whether the operation is retained until it is unpinned.
  package var isPinned = false
  /// The position in the order of use; the least recently used operation has the lowest.
  var use: UInt64 = 0

  package init(_ identity: RequestIdentity, root: DataID) {
    self.identity = identity
    self.root = root
  }

  var contents: [UInt8] {
    var writer = ByteWriter()
    writer.fixed(identity.documentHash)
    writer.text(identity.name)
    JSONValue.object(identity.variables).jsonBytes.withUnsafeBytes { writer.counted($0) }
    writer.text(root.rawValue)
    writer.byte(fetchedAt == nil ? 0 : isStale ? 2 : 1)
    writer.fixed((fetchedAt?.timeIntervalSince1970 ?? 0).bitPattern)
    writer.fixed(epoch)
    writer.fixed(use)
    writer.byte(isPinned ? 1 : 0)
    writer.byte(maxAge == nil ? 0 : 1)
    if let maxAge { writer.fixed((maxAge / .seconds(1)).bitPattern) }
    return writer.bytes
  }

  /// Decodes a row; `nil` if it is damaged.
  package init?(_ contents: [UInt8]) {
    let decoded = contents.withUnsafeBytes { bytes -> PersistedRoot? in
      var reader = ByteReader(bytes)
      let hash = reader.fixed()
      let name = reader.text()
      let json = reader.counted()
      let variables = json.withMemoryRebound(to: UInt8.self) { try? JSONValue(parsing: $0) }
      guard reader.isValid, let variables = variables?.object else { return nil }
      var root = PersistedRoot(
        RequestIdentity(name: name, documentHash: hash, variables: variables),
        root: DataID(reader.text()))
      let state = reader.byte()
      let date = Double(bitPattern: reader.fixed())
      // A duration cannot hold the time since any finite date.
      guard state <= 2, (-1e15...1e15).contains(date) else { return nil }
      if state > 0 { root.fetchedAt = Date(timeIntervalSince1970: date) }
      root.isStale = state == 2
      root.epoch = reader.counter()
      root.use = reader.counter()
      root.isPinned = reader.byte() == 1
      if reader.byte() == 1 {
        let seconds = Double(bitPattern: reader.fixed())
        guard (0...1e9).contains(seconds) else { return nil }
        root.maxAge = .seconds(seconds)
      }
      return reader.isValid && reader.isAtEnd ? root : nil
    }
    guard let decoded else { return nil }
    self = decoded
  }
}
