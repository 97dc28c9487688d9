extension StoreTimeline {
  /// The values that are left out of a timeline.
  public struct Redaction: Sendable, Hashable {
    /// The names whose values are redacted; `nil` for all values.
    let names: Set<String>?

    /// All values: scalars, variables, responses, the arguments in storage keys, and the messages
    /// of errors.
    public static let all = Redaction(names: nil)
    /// No values.
    public static let none = Redaction(names: [])

    /// Only the values with these names.
    ///
    ///     environment.timeline(redacting: .names(["email", "password"]))
    ///
    /// In the store, a name belongs to a field with a scalar, or to an argument. In variables,
    /// responses and the extensions of errors it is a key, so list the aliases of a field too; an
    /// object or a list under the key is redacted entirely. The messages of errors are shown.
    public static func names(_ names: Set<String>) -> Redaction { Redaction(names: names) }
  }
}
