extension BinaryInteger {
  /// Returns the number with a noun, for messages: `1 file`, `2 files`.
  ///
  /// - Parameter noun: A noun whose plural ends with "s".
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }

  /// Returns the digits with leading zeros.
  package func padded(to width: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
