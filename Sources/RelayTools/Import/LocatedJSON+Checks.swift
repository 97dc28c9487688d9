import RelayCompiler

extension LocatedJSON {
  /// The value, which must be one of a few strings.
  func string(among values: [String]) throws(ConfigurationError) -> String {
    let text = try string()
    guard values.contains(text) else {
      throw error("is \"\(text)\"; Apollo knows \(values.joined(separator: ", ")).")
    }
    return text
  }

  /// Checks that members are strings where they are present.
  func checkStrings(_ names: String...) throws(ConfigurationError) {
    _ = try members()
    for name in names { _ = try self[name]?.string() }
  }

  /// Checks that members are true or false where they are present.
  func checkBooleans(_ names: String...) throws(ConfigurationError) {
    _ = try members()
    for name in names { _ = try self[name]?.boolean() }
  }
}
