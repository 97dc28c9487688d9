// Parts of a response: reading starts at an object that an earlier payload has brought.

extension Normalizer {
  /// An object that a part belongs to.
  struct PartTarget {
    /// The index of the object's selection in the program.
    var selection: Int
    var id: DataID
    /// The object's type; `nil` if no payload has named it.
    var typeName: String?
    var path: [ResponsePath.Component]
    /// The label of the part; empty if the server does not return it.
    var label = ""
  }

  /// Reads the fields of an object that a part has.
  mutating func part(
    _ data: JSONScanner, of target: PartTarget, errors: ErrorTree?
  ) throws -> RecordIndex {
    begin(data, at: target.path)
    partLabel = target.label
    let record = payload.appendOccurrence(of: target.id)
    payload.markPart(record)
    return try withExtendedLifetime(workspace) {
      try object(
        at: target.selection, record: record, type: typeIndex(target.typeName), errors: errors)
    }
  }

  /// Reads elements of an object's list.
  ///
  /// - Parameters:
  ///   - elements: The position of an array, or of a single element.
  ///   - isArray: Whether `elements` is the position of an array.
  ///   - slot: The slot of the list in the object's selection.
  ///   - first: The index of the first element.
  ///   - errors: The errors of the object.
  /// - Returns: The object's record, the elements with the payload's indexes as links, and the
  ///   errors that explain their nulls, with paths from the list.
  mutating func elements(
    _ elements: JSONScanner, isArray: Bool, ofSlot slot: Int, of target: PartTarget,
    from first: Int, errors: ErrorTree?
  ) throws -> (parent: RecordIndex, values: [FieldValue], errors: [StoredError]) {
    begin(elements, at: target.path)
    let parent = payload.appendOccurrence(of: target.id)
    let step = program.steps[program.objects[target.selection].firstStep + slot]
    let key = program.plans[target.selection].plan.slots[slot].field?.responseKey ?? ""
    let listErrors = errors?[.field(key)]
    frames.initialize(
      to: Frame(
        object: target.selection, start: scanner.position, record: parent,
        type: typeIndex(target.typeName), slot: slot, firstListIndex: 0))
    (depth, listIndexes) = (1, [first])
    defer { (depth, listIndexes) = (0, []) }
    return try withExtendedLifetime(workspace) {
      var values: [FieldValue] = []
      var found: [StoredError] = []
      func element(_ normalizer: inout Normalizer) throws {
        let index = first + values.count
        normalizer.listIndexes[0] = index
        let errors = listErrors.flatMap { $0[.index(index)] }
        // The payload must not be copied before it has the element.
        let cell = try normalizer.value(of: step, level: 1, errors: errors)
        let value = normalizer.payload.value(of: cell)
        values.append(value)
        found += errors?.errorsOfNulls(in: value, at: [.index(index)]) ?? []
      }
      if !isArray {
        try element(&self)
      } else {
        try scanner.open(.array)
        while try scanner.next(in: .array, isFirst: values.isEmpty) { try element(&self) }
      }
      return (parent, values, found)
    }
  }

  private mutating func begin(_ data: JSONScanner, at path: [ResponsePath.Component]) {
    scanner = data
    basePath = path
    partLabel = nil
  }

  private mutating func typeIndex(_ name: String?) -> Int32 {
    guard var name else { return -1 }
    return name.withUTF8 { types.index(of: UnsafeRawBufferPointer($0), expected: -1) }
  }
}
