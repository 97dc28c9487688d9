/// The notation that a plan was decoded from.
package enum PlanNotation: Sendable {
  /// Notation in generated code.
  case compiled(StaticString)
  /// Persisted notation, in UTF-8.
  case stored([UInt8])

  /// Calls the closure with the notation in UTF-8.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    switch self {
    case .compiled(let text): text.withUTF8Buffer { body(UnsafeRawBufferPointer($0)) }
    case .stored(let bytes): bytes.withUnsafeBytes(body)
    }
  }
}
