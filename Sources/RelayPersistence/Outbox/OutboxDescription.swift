import Foundation
import RelayStore

/// The app's values for an entry.
struct OutboxDescription {
  let id = OutboxEntry.ID(UUID().uuidString.lowercased())
  var label: String?
  var userInfo: JSONValue?
  var coalescing: OutboxCoalescing?
  /// Whether the files of the mutation are removed once they are in the outbox.
  var movesFiles = false
  /// The files, once they are copied.
  var uploads: [StoredUpload] = []

  init() {}

  /// Encodes the values.
  ///
  /// - Throws: ``RelayError`` with code `request` if they cannot be encoded.
  init(
    label: String?, userInfo: (any Encodable)?, coalescing: OutboxCoalescing? = nil,
    operationName: String
  ) throws {
    self.label = label
    self.coalescing = coalescing
    do {
      self.userInfo = try userInfo.map {
        try JSONValue(parsing: Array(JSONEncoder().encode($0)))
      }
    } catch {
      throw RelayError(
        .request, "The userInfo of \"\(operationName)\" cannot be encoded: \(error)",
        operationName: operationName, underlying: error)
    }
  }
}
