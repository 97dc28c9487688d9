extension Normalizer {
  /// Reads the members of the innermost object to its end: the fast path.
  ///
  /// Members usually come in the order of the plan and in their shortest form. The expected key is
  /// compared as one or two words, and its value is read directly. The scanner reads any other
  /// member.
  ///
  /// - Parameter cells: The cells to initialize, one for each stored field, in key order. The
  ///   caller reserves `storedCount` of them in the workspace.
  /// - Returns: The stored fields that are present, as bits.
  mutating func members(
    of object: ResponseProgram.Object, into cells: UnsafeMutablePointer<FieldCell>
  ) throws -> UInt64 {
    let (bytes, steps) = (scanner.start, program.steps + object.firstStep)
    let frame = frames + (depth - 1)
    var (offset, expected, isFirst) = (scanner.position, 0, true)
    var present: UInt64 = 0
    while try isNext(at: &offset, in: bytes, isFirst: isFirst) {
      isFirst = false
      var slot = expected
      if slot < object.stepCount, isKey(of: steps + slot, at: offset, in: bytes),
        steps[slot].onlyType < 0 || steps[slot].onlyType == frame.pointee.type
      {
        offset += steps[slot].word.count
      } else {
        scanner.rewind(to: offset)
        let found = try unexpectedMember(
          of: object, into: cells, present: &present, expected: expected)
        offset = scanner.position
        expected = found.expected
        guard let step = found.slot else { continue }
        slot = step
      }
      let step = steps + slot
      frame.pointee.slot = slot
      expected = slot + 1
      let isConditional = step.pointee.condition != ResponseProgram.Step.none
      if isConditional, try !isWritten(step.pointee, at: &offset) { continue }
      let cell = try value(of: step, at: &offset, in: bytes)
      if step.pointee.role != .plain {
        scanner.rewind(to: offset)
        // A cell that is not stored has no rank.
        _ = applyRole(of: step.pointee, cell: cell, slot: slot)
      }
      let rank = step.pointee.rank
      if rank >= 0 {
        cells[Int(rank)] = cell
        present |= 1 << UInt64(rank)
      }
    }
    scanner.rewind(to: offset)
    return present
  }

  /// Decides the condition of a field, and skips its value if it is not written.
  private mutating func isWritten(
    _ step: ResponseProgram.Step, at offset: inout Int
  ) throws -> Bool {
    scanner.rewind(to: offset)
    let isWritten = try mayApply(step)
    if !isWritten { try scanner.skipValue() }
    offset = scanner.position
    return isWritten
  }

  /// Consumes the comma before the next member, or the closing brace.
  ///
  /// - Returns: Whether another member follows.
  @inline(__always)
  private mutating func isNext(
    at offset: inout Int, in bytes: UnsafeRawPointer, isFirst: Bool
  ) throws -> Bool {
    if offset + 1 < scanner.count {
      let byte = bytes.load(fromByteOffset: offset, as: UInt8.self)
      if isFirst {
        if byte == UInt8(ascii: "\"") { return true }
      } else if byte == UInt8(ascii: ",") {
        offset += 1
        skipSpace(at: &offset, in: bytes)
        return true
      }
      if byte == UInt8(ascii: "}") {
        offset += 1
        return false
      }
    }
    scanner.rewind(to: offset)
    let isNext = try scanner.next(in: .object, isFirst: isFirst)
    offset = scanner.position
    return isNext
  }

  @inline(__always)
  private func skipSpace(at offset: inout Int, in bytes: UnsafeRawPointer) {
    while offset < scanner.count, bytes.load(fromByteOffset: offset, as: UInt8.self) == 0x20 {
      offset += 1
    }
  }

  /// Whether a step's key and the colon are at an offset.
  ///
  /// The words are loaded only if 16 bytes are left, and the rest only if the entire key is.
  @inline(__always)
  private func isKey(
    of step: UnsafePointer<ResponseProgram.Step>, at offset: Int, in bytes: UnsafeRawPointer
  ) -> Bool {
    let count = step.pointee.word.count
    guard offset + max(count, 16) <= scanner.count, step.pointee.word.begins(at: bytes + offset)
    else {
      return false
    }
    if count <= 16 { return true }
    // The program's key bytes include the colon.
    let (rest, start) = (count - 16, program.keyBytes + Int(step.pointee.keyStart) + 16)
    return UnsafeRawBufferPointer(start: bytes + offset + 16, count: rest)
      .hasSameBytes(as: UnsafeRawBufferPointer(start: start, count: rest))
  }

  /// Reads a value: directly if it has its most common form, otherwise with the scanner.
  @inline(__always)
  private mutating func value(
    of step: UnsafePointer<ResponseProgram.Step>, at offset: inout Int,
    in bytes: UnsafeRawPointer
  ) throws -> FieldCell {
    skipSpace(at: &offset, in: bytes)
    let byte = offset < scanner.count ? bytes.load(fromByteOffset: offset, as: UInt8.self) : 0
    switch step.pointee.fastPathKind {
    case .text where byte == UInt8(ascii: "\""):
      let start = offset + 1
      if let end = scanner.unescapedTextEnd(from: start) {
        offset = end + 1
        return FieldCell(textAt: start, count: end - start)
      }
    case .int:
      if let int = scanner.shortInteger(&offset), let cell = FieldCell(int) { return cell }
    case .bool:
      if let bool = scanner.literalBool(&offset) { return FieldCell(bool) }
    case .object where byte == UInt8(ascii: "{"):
      scanner.rewind(to: offset)
      let cell = try linked(step.pointee.child)
      offset = scanner.position
      return cell
    default: break
    }
    scanner.rewind(to: offset)
    let cell = try value(of: step.pointee, level: 0, errors: nil)
    offset = scanner.position
    return cell
  }

  /// Reads a member with an unexpected key, or with a key shared by several fields.
  ///
  /// - Returns: The slot whose value comes next, if it is not read yet, and the slot expected for
  ///   the next member.
  private mutating func unexpectedMember(
    of object: ResponseProgram.Object, into cells: UnsafeMutablePointer<FieldCell>,
    present: inout UInt64, expected: Int
  ) throws -> (slot: Int?, expected: Int) {
    if let key = scanner.peekPlainKey() {
      if let slot = try slot(of: key, in: object, expected: expected) {
        scanner.rewind(to: key.upperBound + 1)
        return (slot, slot + 1)
      }
      if !object.hasSharedKeys {
        scanner.rewind(to: key.upperBound + 1)
        try scanner.skipValue()
        return (nil, expected)
      }
    }
    let slots = try slotsOfMember()
    if slots.isEmpty { try scanner.skipValue() }
    let start = scanner.position
    for (occurrence, slot) in slots.enumerated() {
      if occurrence > 0 { scanner.rewind(to: start) }
      let step = program.steps[object.firstStep + slot]
      frames[depth - 1].slot = slot
      let cell = try value(of: step, level: 0, errors: nil)
      if step.role != .plain, applyRole(of: step, cell: cell, slot: slot) { continue }
      guard step.rank >= 0 else { continue }
      cells[Int(step.rank)] = cell
      present |= 1 << UInt64(step.rank)
    }
    return (nil, (slots.last ?? expected - 1) + 1)
  }

  /// Returns the slot with a response key; `nil` if there is none, or several may have the key.
  ///
  /// Fields of other types, or fields excluded by a directive, may precede the expected one. The
  /// search starts at the expected field and wraps around.
  ///
  /// - Parameter key: The range of the quoted key.
  private mutating func slot(
    of key: Range<Int>, in object: ResponseProgram.Object, expected: Int
  ) throws -> Int? {
    let bytes = UnsafeRawBufferPointer(start: scanner.start + key.lowerBound, count: key.count)
    var slot = expected
    for _ in 0..<object.stepCount {
      if slot >= object.stepCount { slot = 0 }
      let step = program.steps + object.firstStep + slot
      if Int(step.pointee.keyCount) == key.count,
        UnsafeRawBufferPointer(program.keyText(of: step)).hasSameBytes(as: bytes)
      {
        let type = step.pointee.onlyType
        if type < 0 { return slot }
        if try self.type(of: depth - 1) == type { return slot }
      }
      slot += 1
    }
    return nil
  }
}
