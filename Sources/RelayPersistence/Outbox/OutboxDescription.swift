import Foundation
import RelayStore

/// The app's words and values for an entry.
struct OutboxDescription {
  var label: String?
  var userInfo: JSONValue?

  init() {}

  /// Encodes the values.
  ///
  /// - Throws: ``RelayError`` with code `request` if they cannot be encoded.
  init(label: String?, userInfo: (any Encodable)?, operationName: String) throws {
    self.label = label
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
