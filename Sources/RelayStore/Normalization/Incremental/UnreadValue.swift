/// A value in a payload whose end was found before its contents were read.
///
/// The caller must call ``end(_:)`` after reading the value, or ``skip()`` instead of reading it.
/// Both check that only the value is between its position and its end.
struct UnreadValue {
  /// The position of the value.
  let scanner: JSONScanner
  /// The offset of the comma or brace after the value.
  private let endOffset: Int

  /// Finds the end of the member at a scanner's position, and moves the scanner there.
  ///
  /// - Parameter earlier: An earlier value of the same member; it is skipped.
  init(_ scanner: inout JSONScanner, instead earlier: UnreadValue? = nil) throws {
    try earlier?.skip()
    self.scanner = scanner
    if let end = scanner.endOfMember(from: scanner.position) {
      endOffset = end
      scanner.rewind(to: end)
    } else {
      try scanner.skipValue()
      endOffset = scanner.position
    }
  }

  /// Creates a value that was skipped.
  ///
  /// - Parameter end: The offset after the value.
  init(_ scanner: JSONScanner, end: Int) {
    self.scanner = scanner
    endOffset = end
  }

  /// The kind of the value.
  var kind: JSONScanner.Kind {
    get throws {
      var scanner = scanner
      return try scanner.peekKind()
    }
  }

  /// Skips the value.
  func skip() throws {
    var scanner = scanner
    try scanner.skipValue()
    try end(scanner)
  }

  /// Ends the value.
  ///
  /// - Parameter scanner: The position after the value's contents.
  func end(_ scanner: JSONScanner) throws {
    var scanner = scanner
    scanner.skipSpace()
    if scanner.position != endOffset { throw scanner.failure("characters after the value") }
  }
}
