/// The severity of a diagnostic.
public enum Severity: String, Hashable, Sendable {
  /// The document cannot be used.
  case error
  /// The document can be used, but something in it deserves attention.
  case warning
}

/// A problem in a source: a message, its locations, and advice on fixing it.
///
/// The message states the problem, puts names in quotes, and ends with a full stop or, after a
/// suggestion, a question mark.
///
///     Diagnostic(
///       rule: "unique-fragment-names", message: "There can be only one fragment named \"Feed\".",
///       at: first.name.span, second.name.span)
public struct Diagnostic: Hashable, Sendable {
  /// A source range with a short explanation.
  public struct Label: Hashable, Sendable {
    /// The labelled source range.
    public var span: Span
    /// The explanation, such as `previous definition here`.
    public var text: String

    /// Creates a label.
    public init(_ span: Span, _ text: String) {
      self.span = span
      self.text = text
    }
  }

  /// The severity.
  public var severity: Severity
  /// The violated rule in kebab-case, such as `fields-on-correct-type`; `syntax` for parse errors.
  public var rule: String
  /// The description of the problem.
  public var message: String
  /// The locations of the problem, as the reference implementation reports them. The first is the
  /// primary location. Empty if the problem is not in a source.
  public var locations: [Span]
  /// Related source ranges, such as a previous definition. They appear in the text rendering but
  /// not in ``locations``.
  public var labels: [Label]
  /// Advice on fixing the problem.
  public var help: String?
  /// Whether the text rendering is one line, without excerpt and help.
  public var isOneLine = false
  /// The names in the message that a tool needs to correct the mistake.
  package var correction: Correction?

  /// Creates a diagnostic. Drops spans that are not in a source.
  public init(
    severity: Severity = .error, rule: String, message: String, at locations: Span...,
    labels: [Label] = [], help: String? = nil
  ) {
    self.init(
      severity: severity, rule: rule, message: message, locations: locations, labels: labels,
      help: help)
  }

  /// Creates a diagnostic from a list of locations. Drops spans that are not in a source.
  // Not inlined: many places create diagnostics, but rarely at run time.
  @inline(never)
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

  /// The primary location: the first one, or ``Span/none``.
  public var primarySpan: Span { locations.first ?? .none }
}

extension Sequence<Diagnostic> {
  /// Returns the diagnostics sorted by the file and position of their primary location. Diagnostics
  /// at the same position retain their order.
  public func sortedByLocation() -> [Diagnostic] {
    // `sorted` is stable in practice but not by contract, so the offset breaks ties.
    enumerated().sorted { left, right in
      let spans = (left.element.primarySpan, right.element.primarySpan)
      return spans.0 == spans.1 ? left.offset < right.offset : spans.0 < spans.1
    }.map(\.element)
  }

  /// Whether any of the diagnostics is an error.
  public var hasErrors: Bool { contains { $0.severity == .error } }
}
