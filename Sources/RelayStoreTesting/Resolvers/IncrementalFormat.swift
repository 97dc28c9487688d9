/// The format in which a server delivers the parts of a response that `@defer` and `@stream`
/// postpone.
public enum IncrementalFormat: String, Sendable, Hashable, CaseIterable {
  /// No parts: the server ignores both directives and sends one response.
  case none
  /// One part per payload, at the top level: `{"label","path","data","errors","hasNext"}`. The path
  /// of a list item ends with its index.
  case payloads2020
  /// `{"incremental":[{"label","path","data" or "items","errors"}],"hasNext"}`.
  case payloads2022
  /// The format of the current draft of the specification:
  /// `{"pending":[{"id","path","label"}],"incremental":[{"id","subPath","data" or
  /// "items","errors"}],"completed":[{"id","errors"}],"hasNext"}`. A deferred fragment omits fields
  /// that were already sent.
  case payloads2023
}
