extension Int {
  /// Returns the number with a noun, for messages: `1 file`, `2 files`.
  ///
  /// - Parameter noun: A noun that forms its plural with an "s".
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
