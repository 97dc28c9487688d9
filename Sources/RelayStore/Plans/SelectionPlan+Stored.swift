extension SelectionPlan {
  /// Decodes a persisted plan.
  ///
  /// - Parameter clientPlan: The plan of client-only fields of the same record.
  /// - Returns: `nil` if the bytes are not a plan of this version.
  package convenience init?(
    stored text: [UInt8], types: AbstractTypes? = nil, inlined: [String: SelectionPlan] = [:],
    clientPlan: SelectionPlan? = nil
  ) {
    var decoder = PlanDecoder(bytes: text, types: types, leaves: [:], inlined: inlined)
    guard let decoded = decoder.plan() else { return nil }
    self.init(decoded, clientPlan: clientPlan, notation: .stored(text))
  }

  /// A hash of an operation's selections, the same after a restart. It ignores how long the data is
  /// fresh and which elements are private.
  package var documentHash: UInt64 {
    // Only a plan that was not decoded has no notation.
    guard let notation else { return UInt64(UInt(bitPattern: ObjectIdentifier(self))) }
    var checksum = Checksum()
    notation.withBytes { bytes in
      var text = bytes[...]
      while text.first == UInt8(ascii: "@") || text.first == UInt8(ascii: "-") {
        text = text.drop { $0 != UInt8(ascii: " ") }.dropFirst()
      }
      checksum.combine(UnsafeRawBufferPointer(rebasing: text))
    }
    if let clientPlan { checksum.combine(clientPlan.documentHash) }
    return checksum.value
  }

  /// A hash of the data that a fragment reads: its selections, and the selections of the fragments
  /// inlined into it. The same in every process.
  var readHash: UInt64 {
    var checksum = Checksum()
    notation?.withBytes { checksum.combine($0) }
    for slot in slots {
      switch slot.content {
      case .field(let field): if let child = field.child { checksum.combine(child.readHash) }
      case .spread(let spread):
        if let inlined = spread.inlined { checksum.combine(inlined.readHash) }
      case .condition: break
      }
    }
    return checksum.value
  }
}
