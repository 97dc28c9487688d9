import Foundation

/// The conversion between paths and `file` URIs.
enum FileURI {
  /// Returns the path of a `file` URI; `nil` for other schemes and for paths that are not UTF-8.
  static func path(of uri: String) -> String? {
    let bytes = Array(uri.utf8)
    guard bytes.count >= 7, uri.prefix(7).lowercased() == "file://",
      let slash = bytes.dropFirst(7).firstIndex(of: UInt8(ascii: "/"))
    else { return nil }
    let host = String(decoding: bytes[7..<slash], as: UTF8.self).lowercased()
    guard host.isEmpty || host == "localhost" else { return nil }
    var path: [UInt8] = []
    var index = slash
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), let value = value(bytes[index...].dropFirst().prefix(2))
      {
        path.append(value)
        index += 3
      } else {
        path.append(bytes[index])
        index += 1
      }
    }
    return path.contains(0) ? nil : String(validUTF8: path)
  }

  private static func value(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard digits.count == 2, digits.first != UInt8(ascii: "+") else { return nil }
    return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  /// Returns the URI of a path.
  static func uri(of path: String) -> String {
    "file://" + (path.addingPercentEncoding(withAllowedCharacters: unreserved) ?? path)
  }

  private static let unreserved = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/")
}
