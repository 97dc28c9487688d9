extension String {
  /// Creates a string from bytes; `nil` if they are not UTF-8.
  ///
  /// The standard library's `String(validating:as:)` needs macOS 15.
  package init?(validUTF8 bytes: [UInt8]) {
    self.init(decoding: bytes, as: UTF8.self)
    // Decoding replaces invalid sequences, which changes the bytes.
    guard utf8.elementsEqual(bytes) else { return nil }
  }
}
