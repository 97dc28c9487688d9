/// A cache of a payload's shapes by selection, type and present fields.
struct PayloadShapes {
  private struct Key: Hashable {
    /// The index of the object's selection in the program.
    var object: Int
    /// The index of the object's type; -1 if unknown, -2 for the root.
    var type: Int32
    /// The stored fields that are present, as bits.
    var present: UInt64
  }

  private let program: ResponseProgram
  /// The shapes of the selections with more than one shape.
  private var shapes: [Key: Int] = [:]
  /// The last shape of each selection.
  private var last: ContiguousArray<(key: Key, shape: Int)>

  init(_ program: ResponseProgram) {
    self.program = program
    let none = Key(object: -1, type: -1, present: 0)
    last = ContiguousArray(repeating: (none, -1), count: program.objectCount)
  }

  /// Returns the index of an object's shape in the payload, appending the shape if it is new.
  @inline(__always)
  mutating func shape(
    of object: Int, type: Int32, present: UInt64, isRoot: Bool, types: ResponseTypes,
    payload: inout RecordPayload
  ) -> Int {
    let key = Key(object: object, type: isRoot ? -2 : type, present: present)
    if last[object].key == key { return last[object].shape }
    return findShape(key, types: types, payload: &payload)
  }

  @inline(never)
  private mutating func findShape(
    _ key: Key, types: ResponseTypes, payload: inout RecordPayload
  ) -> Int {
    let old = last[key.object]
    // Most selections have a single shape, found only in ``last``.
    if old.shape >= 0, let shape = shapes[key] {
      last[key.object] = (key, shape)
      return shape
    }
    let typeName = key.type == -2 ? "__Root" : types.name(at: key.type)
    let shape = payload.shape(typeName, program.keys(of: key.object, present: key.present))
    if old.shape >= 0 {
      shapes[old.key] = old.shape
      shapes[key] = shape
    }
    last[key.object] = (key, shape)
    return shape
  }
}

extension UInt64 {
  /// The indexes of the bits that are set, lowest first.
  var positions: some Sequence<Int> {
    sequence(state: self) { rest in
      if rest == 0 { return nil }
      defer { rest &= rest &- 1 }
      return rest.trailingZeroBitCount
    }
  }
}
