/// The persisted plan of an operation: its notation, and its client-only fields' notation.
package struct PersistedPlan: Sendable {
  var normalization: [UInt8]
  var clientPlan: [UInt8]?

  /// - Returns: `nil` if the plan was not decoded from notation.
  package init?(_ plan: SelectionPlan) {
    guard let text = plan.notation?.withBytes({ Array($0) }) else { return nil }
    normalization = text
    clientPlan = plan.clientPlan?.notation?.withBytes { Array($0) }
  }

  package var contents: [UInt8] {
    var writer = ByteWriter()
    normalization.withUnsafeBytes { writer.counted($0) }
    clientPlan?.withUnsafeBytes { writer.counted($0) }
    return writer.bytes
  }

  /// Decodes a row; returns `nil` if it is damaged, or has another version of the notation.
  package static func plan(_ contents: [UInt8]) -> SelectionPlan? {
    contents.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      let normalization = Array(reader.counted())
      var clientPlan: SelectionPlan?
      if reader.isValid, !reader.isAtEnd {
        clientPlan = SelectionPlan(stored: Array(reader.counted()))
        if clientPlan == nil { return nil }
      }
      guard reader.isValid, reader.isAtEnd else { return nil }
      return SelectionPlan(stored: normalization, clientPlan: clientPlan)
    }
  }
}
