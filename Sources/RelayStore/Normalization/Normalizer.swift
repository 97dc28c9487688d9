/// A single pass over the bytes of a response that normalizes its objects to records, guided by the
/// operation's plan.
///
/// The recursion is as deep as the plan, whatever the response contains.
///
/// An object takes the fast path if all of these conditions are met:
///
/// - The response has no errors at or below the object's path.
/// - Its selection has at most 64 storage keys, and no object has two fields with the same key:
///   only fields inside conditions on different concrete types share keys.
/// - The response is small enough for cells to hold its offsets.
///
/// Every other object takes the slow path. Both produce the same payload.
///
/// The unsafe pointers point into `workspace`. The entry points (``root(id:errors:)``,
/// ``part(_:of:errors:)`` and ``elements(_:isArray:ofSlot:of:from:errors:)``) extend its lifetime.
/// The pointers never leave its bounds, because plans are not recursive: at most `program.depth`
/// objects are being read at once, each with a different selection, and `program.cellCount` is the
/// sum over all selections.
struct Normalizer {
  var scanner: JSONScanner
  var payload: RecordPayload
  let program: ResponseProgram
  private let operationName: String
  /// Whether client code built the data, for example an optimistic response. Such data may omit
  /// discriminators.
  let isClientMade: Bool
  /// Whether a missing field is written as null. Parts of a response omit fields that another part
  /// has.
  var treatsMissingFieldsAsNull: Bool
  /// The label of the part being read; `nil` outside of deferred parts.
  var partLabel: String?
  /// The maximum number of objects in the response.
  private let recordLimit: Int
  /// The maximum number of objects in the payload, including objects being read.
  private let ownRecordLimit: Int
  /// Whether every offset in the response fits into a cell.
  private let cellsCanHoldOffsets: Bool
  let workspace: Workspace
  /// The stack of the objects being read, outermost first. Until another object starts, the frame
  /// at ``depth`` belongs to the object that ended last.
  let frames: UnsafeMutablePointer<Frame>
  var depth = 0
  /// The first free cell of the workspace.
  private var freeCells: UnsafeMutablePointer<FieldCell>
  /// The stack of the fields already read, of all objects being read on the slow path.
  var pending: [(key: FieldKey, cell: FieldCell)] = []
  /// The errors of pending fields, each with the field's index in ``pending``.
  var pendingErrors: [(position: Int, errors: [StoredError])] = []
  /// The current index in each list being read, outermost first.
  var listIndexes: [Int] = []
  /// The stack of the links already read, of all lists being read.
  private var links: [RecordIndex] = []
  var types: ResponseTypes
  /// The stack of the discriminators found in the objects being read, ordered by frame.
  var discriminators: [(frame: Int, slot: Int, condition: Int32)] = []
  var shapes: PayloadShapes
  /// The objects already read whose selections have deferred parts.
  var deferring: [(record: RecordIndex, object: Int)] = []
  /// The streamed lists already read in those objects, each with the index of its object in
  /// ``deferring`` and the number of its elements.
  var streamed: [(object: Int, slot: Int, count: Int)] = []
  /// The streamed lists of the objects being read, ordered by frame.
  private var openStreamed: [(frame: Int, slot: Int, count: Int)] = []
  /// The path of the object where reading starts, for messages.
  var basePath: [ResponsePath.Component] = []

  /// The state of an object being read.
  struct Frame {
    /// The index of the object's selection in the program.
    let object: Int
    /// The offset after the opening brace.
    let start: Int
    var record: RecordIndex
    /// The index of the object's type; -1 while unknown.
    var type: Int32
    /// Whether the object was scanned for `__typename`.
    var hasSearchedType = false
    /// The slot of the field being read.
    var slot = 0
    /// The index in ``listIndexes`` of the outermost list below this object.
    var firstListIndex: Int
  }

  /// The memory of the frames and cells. Both are trivial values, so they need no deinitialization.
  final class Workspace {
    let frames: UnsafeMutablePointer<Frame>
    let cells: UnsafeMutablePointer<FieldCell>

    fileprivate init(_ program: ResponseProgram) {
      frames = .allocate(capacity: program.depth)
      cells = .allocate(capacity: program.cellCount)
    }

    deinit {
      frames.deallocate()
      cells.deallocate()
    }
  }

  init(
    _ scanner: JSONScanner, program: ResponseProgram, response: [UInt8], operationName: String,
    isClientMade: Bool, treatsMissingFieldsAsNull: Bool = false, recordLimit: Int = .max,
    recordCount: Int = 0
  ) {
    self.recordLimit = recordLimit
    ownRecordLimit = recordLimit - recordCount
    self.scanner = scanner
    self.program = program
    self.treatsMissingFieldsAsNull = treatsMissingFieldsAsNull
    self.operationName = operationName
    self.isClientMade = isClientMade
    cellsCanHoldOffsets = scanner.count < FieldCell.textLimit
    workspace = Workspace(program)
    frames = workspace.frames
    freeCells = workspace.cells
    payload = RecordPayload(response: response)
    types = program.types
    shapes = PayloadShapes(program)
  }

  /// Reads the operation's data.
  ///
  /// - Returns: The record of the root.
  @discardableResult
  mutating func root(id: DataID, errors: ErrorTree?) throws -> RecordIndex {
    try withExtendedLifetime(workspace) {
      try object(at: 0, record: payload.appendOccurrence(of: id), errors: errors)
    }
  }

  // MARK: Objects

  /// Reads an object, on the fast path if possible.
  ///
  /// - Parameters:
  ///   - record: The object's record; `.none` to identify it by its fields.
  ///   - type: The index of the object's type; -1 to use the selection's type.
  mutating func object(
    at index: Int, record: RecordIndex, type: Int32 = -1, errors: ErrorTree?
  ) throws -> RecordIndex {
    try scanner.open(.object)
    if payload.entries.count + depth >= ownRecordLimit { throw tooManyRecordsError }
    (frames + depth).initialize(
      to: Frame(
        object: index, start: scanner.position, record: record,
        type: type < 0 ? program.objects[index].type : type, firstListIndex: listIndexes.count))
    depth += 1
    let usesFastPath =
      errors == nil && cellsCanHoldOffsets && program.objects[index].storedCount >= 0
    let record =
      usesFastPath ? try fastPathObject(program.objects[index]) : try slowPathObject(errors: errors)
    if program.objects[index].hasDiscriminators { appendTypeSchema(for: frames[depth]) }
    if program.objects[index].hasDeferredParts { endDeferring(record, index) }
    return record
  }

  /// Registers the object that has just ended as one whose parts may follow.
  private mutating func endDeferring(_ record: RecordIndex, _ object: Int) {
    while let last = openStreamed.last, last.frame >= depth {
      streamed.append((deferring.count, last.slot, last.count))
      openStreamed.removeLast()
    }
    deferring.append((record, object))
  }

  /// Reads the members of the innermost object on the fast path, and ends it.
  private mutating func fastPathObject(_ object: ResponseProgram.Object) throws -> RecordIndex {
    let own = freeCells
    freeCells += Int(object.storedCount)
    // Bit *i* is set if the object's *i*th stored field is present.
    let present = try members(of: object, into: own)
    // Frees the cells. They are still valid below, because no cells are allocated before.
    freeCells = own
    // Only the slow path adds nulls for missing fields.
    if treatsMissingFieldsAsNull, present != object.allFields {
      for (key, position) in zip(
        program.keys(of: frames[depth - 1].object, present: present), present.positions)
      {
        pending.append((key, own[position]))
      }
      return try endSlowPathObject(from: pending.count - present.nonzeroBitCount)
    }
    let index = try recordIndex(of: depth - 1)
    depth -= 1
    append(object, record: index, present: present, cells: own)
    return index
  }

  /// Appends an object that was read on the fast path to the payload.
  private mutating func append(
    _ object: ResponseProgram.Object, record: RecordIndex, present: UInt64,
    cells: UnsafeMutablePointer<FieldCell>
  ) {
    let frame = frames[depth]
    let shape = shapes.shape(
      of: frame.object, type: frame.type, present: present, isRoot: payload.isRoot(record),
      types: types, payload: &payload)
    var count = Int(object.storedCount)
    // Compacts the cells that are present.
    if present != object.allFields {
      count = 0
      for position in present.positions {
        cells[count] = cells[position]
        count += 1
      }
    }
    payload.append(record, shape: shape, cells: UnsafeBufferPointer(start: cells, count: count))
    if object.hasHandles {
      let keys = payload.shapes[shape].keys
      appendHandles(of: record) { keys.contains($0) }
    }
  }

  /// Appends the handles of the fields that are present in the object that ended last; its frame is
  /// at ``depth``.
  mutating func appendHandles(of record: RecordIndex, where isPresent: (FieldKey) -> Bool) {
    let firstStep = program.objects[frames[depth].object].firstStep
    for (slot, handle) in program.plans[frames[depth].object].handles
    where isPresent(handle.field)
      && program.steps[firstStep + slot].condition != ResponseProgram.Step.excluded
    {
      payload.append(handle, of: record)
    }
  }

  // MARK: Values

  /// Reads an object that a field of the innermost object links to.
  @inline(__always)
  mutating func linked(_ child: Int32) throws -> FieldCell {
    FieldCell(link: try object(at: Int(child), record: .none, errors: nil))
  }

  /// Reads a value of the step's type.
  ///
  /// - Parameter level: The list nesting level of the value; 0 outside of lists.
  /// - Throws: ``RelayError`` with code `response` if the value is of another kind.
  mutating func value(of step: ResponseProgram.Step, level: Int, errors: ErrorTree?) throws
    -> FieldCell
  {
    let kind = try scanner.peekKind()
    if kind == .null {
      try scanner.null()
      return .null
    }
    if level < Int(step.listDepth) {
      guard kind == .array else { throw mismatch(kind, expected: "a list") }
      return try list(of: step, level: level, errors: errors)
    }
    switch (step.valueKind, kind) {
    case (.object, .object):
      guard step.child >= 0 else { throw mismatch(kind) }
      return FieldCell(link: try object(at: Int(step.child), record: .none, errors: errors))
    case (.text, .string), (.id, .string): return try text()
    case (.boolean, .bool): return FieldCell(try scanner.bool())
    case (.id, .bool), (.int, .bool), (.text, .bool): return try nullForFalseID(kind)
    case (.id, .number), (.float, .number), (.int, .number): return try number(of: step)
    case (.custom, _): return payload.cell(FieldValue(try scanner.value()))
    default: throw mismatch(kind)
    }
  }

  mutating func text() throws -> FieldCell {
    let text = try scanner.text()
    if !text.hasEscapes { return payload.cell(.string, textIn: text.range) }
    return payload.cell(.string, textIn: payload.appendUnescaped(text.range, of: scanner))
  }

  private mutating func number(of step: ResponseProgram.Step) throws -> FieldCell {
    let (range, int) = try scanner.numberToken()
    if let int, let cell = FieldCell(int) { return cell }
    let number = JSONNumber(digits: payload.text(in: range))
    // The same numbers are accepted on every platform. A number that does not fit into `Int` is a
    // field error when it is read.
    if step.valueKind == .int, number.integer(as: Int64.self) == nil { throw mismatch(.number) }
    guard case .int(let int) = FieldValue(number: number) else {
      return payload.cell(.number, textIn: range)
    }
    return FieldCell(int) ?? payload.cell(boxing: .int(int))
  }

  /// Reads a Boolean where none is allowed. Accepts only `false`, as the value of an object's id
  /// field of any scalar type, and stores it as null: as in relay-runtime, every falsy id counts as
  /// absent.
  private mutating func nullForFalseID(_ kind: JSONScanner.Kind) throws -> FieldCell {
    let slot = program.plans[frames[depth - 1].object].plan.slots[frames[depth - 1].slot]
    guard slot.field?.isID == true, try !scanner.bool() else { throw mismatch(kind) }
    return .null
  }

  private mutating func list(of step: ResponseProgram.Step, level: Int, errors: ErrorTree?) throws
    -> FieldCell
  {
    try scanner.open(.array)
    let firstLink = links.count
    let hasLinks = step.valueKind == .object && level == Int(step.listDepth) - 1
    var values: [FieldValue] = []
    var position = 0
    let nestingLevel = listIndexes.count
    listIndexes.append(0)
    while try scanner.next(in: .array, isFirst: position == 0) {
      listIndexes[nestingLevel] = position
      if hasLinks, errors == nil, step.child >= 0, scanner.peekByte == UInt8(ascii: "{") {
        links.append(try object(at: Int(step.child), record: .none, errors: nil))
        position += 1
        continue
      }
      let cell = try value(
        of: step, level: level + 1, errors: errors.flatMap { $0[.index(position)] })
      if !hasLinks {
        values.append(payload.value(of: cell))
      } else {
        links.append(cell.kind == .link ? cell.link : .none)
      }
      position += 1
    }
    listIndexes.removeLast()
    let frame = frames[depth - 1]
    if level == 0, program.objects[frame.object].hasDeferredParts {
      openStreamed.append((depth - 1, frame.slot, position))
    }
    if !hasLinks { return payload.cell(boxing: .list(values)) }
    let elements = Array(links[firstLink...])
    links.removeSubrange(firstLink...)
    return payload.cell(boxing: .links(elements))
  }

  // MARK: Errors

  private func mismatch(_ found: JSONScanner.Kind, expected: String? = nil) -> RelayError {
    let path = currentPath
    let frame = frames[depth - 1]
    let plan = program.plans[frame.object]
    let type = plan.plan.slots[frame.slot].field?.type
    return RelayError(
      .response,
      """
      Response for "\(operationName)" has \(found.name) at "\(path)", expected \
      \(expected ?? type?.name(child: plan.children[frame.slot]?.plan) ?? "another value"). \
      The schema may be out of date; update it and run relay-compiler.
      """, operationName: operationName, path: path)
  }

  private var tooManyRecordsError: RelayError {
    let path = currentPath
    return RelayError(
      .response,
      "Response for \"\(operationName)\" has more than \(recordLimit.counted("object")) at \"\(path)\".",
      operationName: operationName, path: path)
  }

  /// The response path of the value being read.
  private var currentPath: ResponsePath {
    var components = basePath
    for level in 0..<depth {
      let frame = frames[level]
      let plan = program.plans[frame.object].plan
      guard let field = plan.slots[frame.slot].field else { continue }
      let last = level + 1 < depth ? frames[level + 1].firstListIndex : listIndexes.count
      components.append(.field(field.responseKey))
      components += listIndexes[frame.firstListIndex..<last].map { .index($0) }
    }
    return ResponsePath(components)
  }
}

extension JSONScanner.Kind {
  fileprivate var name: String {
    switch self {
    case .object: "an object"
    case .array: "a list"
    case .string: "a string"
    case .number: "a number"
    case .bool: "a Boolean"
    case .null: "null"
    }
  }
}
