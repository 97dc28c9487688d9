import RelayCompiler

extension LocatedJSON {
  /// Returns the string, which must be one of the given values.
  func string(among values: [String]) throws(ConfigurationError) -> String {
    let text = try string()
    guard values.contains(text) else {
      throw error("is \"\(text)\"; Apollo knows \(values.joined(separator: ", ")).")
    }
    return text
  }

  /// Checks that each of these members is a string if present.
  func checkStrings(_ names: String...) throws(ConfigurationError) {
    _ = try members()
    for name in names { _ = try self[name]?.string() }
  }

  /// Checks that each of these members is a Boolean if present.
  func checkBooleans(_ names: String...) throws(ConfigurationError) {
    _ = try members()
    for name in names { _ = try self[name]?.boolean() }
  }
}
