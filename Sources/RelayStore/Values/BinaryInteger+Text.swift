extension BinaryInteger {
  /// Returns the number with a noun, for messages: `1 file`, `2 files`.
  ///
  /// - Parameter noun: A noun whose plural ends with an added "s".
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
