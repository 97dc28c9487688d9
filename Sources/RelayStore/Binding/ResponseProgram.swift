/// A bound normalization plan in flat arrays, so that responses are parsed without following
/// references.
///
/// `@unchecked Sendable`: the initializer allocates and fills the buffers of `objects`, `steps` and
/// `keyBytes`. They are not written afterwards, and only `deinit` deallocates them. A user of one
/// of the pointers must retain the program, as the normalizer does.
///
/// The buffers are read without bounds checks. All indices into them come from ``init(_:)``, which
/// lays out each object's steps and each step's key inside them.
package final class ResponseProgram: @unchecked Sendable {
  /// The role of a field in its object.
  package enum Role: UInt8, Sendable { case plain, typename, discriminator, id }

  /// The kind of a field's innermost value.
  enum ValueKind: UInt8, Sendable { case text, id, int, float, boolean, custom, object }

  /// The kind of value that the fast path expects and reads without further checks.
  enum FastPathKind: UInt8, Sendable { case text, int, bool, object, none }

  /// One slot of an object.
  package struct Step: Sendable {
    package var role = Role.plain
    var valueKind = ValueKind.text
    var fastPathKind = FastPathKind.none
    package var listDepth: UInt8 = 0
    /// The index in ``types`` of the only type whose objects have the field, if other slots of the
    /// object share its response key; otherwise ``none``.
    var onlyType = Step.none
    /// The offset of the quoted response key in the program's key bytes; a colon follows the key.
    var keyStart: Int32 = 0
    /// The length of the quoted key; 0 unless the field is included and at most one slot of an
    /// object has the key.
    package var keyCount: Int32 = 0
    package var key = FieldKey(rawValue: .max)
    /// The index of a linked field's object; -1 for a scalar.
    package var child: Int32 = -1
    /// The field's rank in the object's stored fields, sorted by key; -1 if it is not stored or the
    /// object has no ranks.
    package var rank: Int32 = -1
    /// The quoted response key and the colon, for comparison with a response's bytes.
    package var word = KeyWord()
    /// The index in ``conditions`` of the enclosing type condition; ``none`` or ``excluded`` if the
    /// result is the same for all objects.
    package var condition = Step.none

    /// No type condition needs to be evaluated.
    package static let none: Int32 = -1
    /// The field is never read: variables exclude it, or its condition does not match the plan's
    /// type.
    package static let excluded: Int32 = -2
  }

  /// A type condition that is evaluated for each object of the response.
  package struct Condition: Sendable {
    /// The slot of the condition in the plan of its object.
    package var slot = 0
    /// The index in ``types`` of the concrete type; -1 for an abstract type.
    package var type: Int32 = -1
    /// The enclosing condition, encoded like ``Step/condition``.
    package var outer = Step.none
  }

  /// The selection of one object.
  package struct Object: Sendable {
    var firstStep = 0
    var stepCount = 0
    /// The index in ``types`` of the object's type; -1 if the response's `__typename` decides.
    package var type: Int32 = -1
    package var hasID = false
    /// Whether key fields other than `id` may identify the object.
    package var hasKeys = false
    var hasTypename = false
    var hasDiscriminators = false
    var hasHandles = false
    /// Whether several slots may have a member's response key.
    var hasSharedKeys = false
    /// Whether one of the object's own fields is deferred, or is a list that arrives in parts.
    var hasDeferredParts = false
    /// The step of the id; ``Step/none`` if there is none, or several with different keys.
    var idStep = Step.none
    /// The step of `__typename`; ``Step/none`` if there is none, or several with different keys.
    var typenameStep = Step.none
    /// The number of storage keys of the object's fields; -1 if two fields of an object may have
    /// the same key, or there are more than 64 keys.
    var storedCount: Int32 = -1
    /// The index in ``sortedKeys`` where the sorted keys of those fields start.
    var firstKey = 0

    /// A bit set with one bit for each stored field.
    var allFields: UInt64 { storedCount <= 0 ? 0 : .max >> UInt64(64 - storedCount) }
  }

  /// The objects, ``objectCount`` of them; the root is the first.
  package let objects: UnsafePointer<Object>
  /// The steps of all objects. An object's steps start at its `firstStep`.
  package let steps: UnsafePointer<Step>
  /// The quoted response keys of all steps, each with a colon.
  let keyBytes: UnsafePointer<UInt8>
  package let objectCount: Int
  let stepCount: Int
  let keyByteCount: Int
  let sortedKeys: ContiguousArray<FieldKey>
  package let conditions: ContiguousArray<Condition>
  /// The maximum depth of nested objects.
  package let depth: Int
  /// An upper bound of the number of stored fields of nested objects.
  package let cellCount: Int
  let types: ResponseTypes
  /// The plan of each object.
  package let plans: Plans
  /// The storage keys of all steps.
  package let storageKeys: [String]

  package init(_ root: BoundPlan) {
    var builder = Builder()
    _ = builder.add(root, depth: 1)
    objects = Self.table(builder.objects)
    steps = Self.table(builder.steps)
    keyBytes = Self.table(builder.keyBytes)
    objectCount = builder.objects.count
    stepCount = builder.steps.count
    keyByteCount = builder.keyBytes.count
    depth = builder.depth
    cellCount = builder.objects.reduce(1) { $0 + Int(max($1.storedCount, 0)) }
    sortedKeys = builder.sortedKeys
    conditions = builder.conditions
    types = ResponseTypes(builder.typeNames)
    plans = Plans(builder.plans)
    storageKeys = builder.storageKeys
  }

  /// The plan of each object.
  ///
  /// The references are `unowned`: each plan holds its program, so strong references would form a
  /// cycle. The root plan retains the others through its children, and a user of the program must
  /// retain the root. Access to a released plan traps; it does not read freed memory.
  package struct Plans: Sendable {
    private struct Reference: Sendable {
      unowned let plan: BoundPlan
    }

    private let references: [Reference]

    fileprivate init(_ plans: [BoundPlan]) { references = plans.map { Reference(plan: $0) } }

    package subscript(object: Int) -> BoundPlan { references[object].plan }
  }

  deinit {
    objects.deallocate()
    steps.deallocate()
    keyBytes.deallocate()
  }

  /// Copies trivial values to a buffer that is read without bounds checks or retains.
  ///
  /// `deinit` deallocates the buffer without deinitializing it, which is sound because the elements
  /// have no references.
  private static func table<Element>(_ list: ContiguousArray<Element>) -> UnsafePointer<Element> {
    let table = UnsafeMutablePointer<Element>.allocate(capacity: max(1, list.count))
    list.withUnsafeBufferPointer { source in
      if let first = source.baseAddress { table.initialize(from: first, count: source.count) }
    }
    return UnsafePointer(table)
  }

  /// Returns the quoted response key of a step, without the colon; empty if ``Step/keyCount`` is 0.
  /// The buffer is valid for the lifetime of the program.
  ///
  /// - Precondition: `step` is one of ``steps``. This is not checked.
  @inline(__always)
  func keyText(of step: UnsafePointer<Step>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: keyBytes + Int(step.pointee.keyStart), count: Int(step.pointee.keyCount))
  }

  /// Returns the sorted keys of an object's fields that are set in `present`.
  ///
  /// - Precondition: `object` is below ``objectCount``. This is not checked.
  package func keys(of object: Int, present: UInt64) -> ContiguousArray<FieldKey> {
    let object = objects[object]
    return ContiguousArray(
      (0..<Int(object.storedCount)).lazy.filter { present >> UInt64($0) & 1 != 0 }
        .map { self.sortedKeys[object.firstKey + $0] })
  }
}
