import Foundation
import RelayStore

/// A global object id in the Python server's format: type and key in base 64.
struct GlobalID {
  let type: String
  let key: String

  init(_ type: String, _ key: String) {
    self.type = type
    self.key = key
  }

  /// Parses a global id.
  ///
  /// - Throws: ``GraphQLError`` if `text` is not a global id.
  init(_ text: String) throws {
    guard let (type, key) = Base64.pair(in: text) else {
      throw GraphQLError(message: "Value cannot represent a GlobalID: \"\(text)\".")
    }
    self.init(type, key)
  }

  /// Returns the key of an id of the given type.
  ///
  /// - Throws: ``GraphQLError`` if the id has another type.
  static func key(of text: String, type: String) throws -> String {
    let id = try GlobalID(text)
    guard id.type == type else {
      throw GraphQLError(message: "The id is not one of a \(type).")
    }
    return id.key
  }

  var text: String { Base64.text(type, key) }
}

/// Encoding and decoding of pairs, `first:second`, in base 64.
enum Base64 {
  static func text(_ first: String, _ second: String) -> String {
    Data("\(first):\(second)".utf8).base64EncodedString()
  }

  static func pair(in text: String) -> (String, String)? {
    guard let data = Data(base64Encoded: text), let plain = String(data: data, encoding: .utf8)
    else { return nil }
    let parts = plain.split(separator: ":", maxSplits: 1).map(String.init)
    return parts.count == 2 ? (parts[0], parts[1]) : nil
  }
}
