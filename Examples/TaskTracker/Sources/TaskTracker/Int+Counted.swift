extension Int {
  /// Returns the number with a noun: `1 task`, `2 tasks`.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
