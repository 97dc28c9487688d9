/// How serious a diagnostic is.
public enum Severity: String, Hashable, Sendable {
  /// The document cannot be used.
  case error
  /// The document can be used, and something in it deserves a look.
  case warning
}

/// Something wrong in a text: what, where, and what to do about it.
///
/// The message says what is wrong, names things in quotes, and ends with a full stop.
///
///     Diagnostic(
///       rule: "unique-fragment-names", message: "There can be only one fragment named \"Feed\".",
///       at: first.name.span, second.name.span)
public struct Diagnostic: Hashable, Sendable {
  /// A place with a word about it.
  public struct Label: Hashable, Sendable {
    /// The place.
    public var span: Span
    /// What is there, such as `previous definition here`.
    public var text: String

    /// A place with a word about it.
    public init(_ span: Span, _ text: String) {
      self.span = span
      self.text = text
    }
  }

  /// How serious it is.
  public var severity: Severity
  /// The rule that was broken, in kebab-case: `fields-on-correct-type`; `syntax` for what does not parse.
  public var rule: String
  /// What is wrong.
  public var message: String
  /// The places where it is wrong, those the reference implementation reports; the first is shown first. Empty when it is in no
  /// text.
  public var locations: [Span]
  /// Other places that explain it. Shown to people, not counted among the locations.
  public var labels: [Label]
  /// What to do about it.
  public var help: String?
  /// Whether people are shown the message alone, on one line.
  public var isBrief = false

  /// An error at places.
  public init(
    severity: Severity = .error, rule: String, message: String, at locations: Span...,
    labels: [Label] = [], help: String? = nil
  ) {
    self.init(
      severity: severity, rule: rule, message: message, locations: locations, labels: labels,
      help: help)
  }

  /// An error at a list of places.
  public init(
    severity: Severity = .error, rule: String, message: String, locations: [Span],
    labels: [Label] = [], help: String? = nil
  ) {
    self.severity = severity
    self.rule = rule
    self.message = message
    self.locations = locations.filter(\.isKnown)
    self.labels = labels.filter(\.span.isKnown)
    self.help = help
  }

  /// The place shown first, or ``Span/none``.
  public var primary: Span { locations.first ?? .none }
}

extension Sequence<Diagnostic> {
  /// The diagnostics ordered by file and place; at one place, in the order given.
  public func sortedByPlace() -> [Diagnostic] {
    // The standard library's sort is stable in practice but not by contract.
    enumerated().sorted { left, right in
      let places = (left.element.primary, right.element.primary)
      return places.0 == places.1 ? left.offset < right.offset : places.0 < places.1
    }.map(\.element)
  }

  /// True when one of the diagnostics is an error.
  public var hasErrors: Bool { contains { $0.severity == .error } }
}
