extension SelectionPlan {
  /// Decodes a plan that was stored.
  ///
  /// - Parameter clientPlan: The plan of client-only fields of the same record.
  /// - Returns: `nil` if the text is not a plan of this version.
  package convenience init?(
    stored text: [UInt8], types: AbstractTypes? = nil, inlined: [String: SelectionPlan] = [:],
    clientPlan: SelectionPlan? = nil
  ) {
    var decoder = PlanDecoder(bytes: text, types: types, leaves: [:], inlined: inlined)
    guard let decoded = decoder.plan() else { return nil }
    self.init(decoded, clientPlan: clientPlan, notation: .stored(text))
  }

  /// A number that identifies the selections of an operation, also after a restart. It does not depend on
  /// the time for which they are fresh, nor on what of them is private.
  package var documentHash: UInt64 {
    // Only a plan that was not decoded has no text.
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

  /// A number that identifies what is read for a fragment: its selections, and those of the fragments
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
