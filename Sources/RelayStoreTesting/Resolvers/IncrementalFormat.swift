/// The format in which a server delivers the parts of a response that `@defer` and `@stream` leave
/// for later.
public enum IncrementalFormat: String, Sendable, Hashable, CaseIterable {
  /// No parts: the server ignores both directives and sends one response.
  case none
  /// One part a payload, at the top: `{"label","path","data","errors","hasNext"}`. The path of an
  /// item of a list ends with its index.
  case payloads2020
  /// `{"incremental":[{"label","path","data" or "items","errors"}],"hasNext"}`.
  case payloads2022
  /// The format of the current draft of the specification:
  /// `{"pending":[{"id","path","label"}],"incremental":[{"id","subPath","data" or
  /// "items","errors"}],"completed":[{"id","errors"}],"hasNext"}`. A deferred fragment omits the
  /// fields that were sent before.
  case payloads2023
}
