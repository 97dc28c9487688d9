/// A bound normalization plan in flat arrays, so that responses are parsed without following
/// references.
///
/// `@unchecked Sendable`: the initializer allocates and fills the buffers of `objects`, `steps` and
/// `keyBytes`; nothing writes to them afterwards, and only `deinit` deallocates them. Whoever uses
/// one of the pointers keeps the program alive; the normalizer stores the program for that.
///
/// The buffers are read without bounds checks. All indices into them are made by ``init(_:)``,
/// which lays out each object's steps and each step's key inside them.
package final class ResponseProgram: @unchecked Sendable {
  /// The role of a field in its object.
  package enum Role: UInt8, Sendable { case plain, typename, discriminator, id }

  /// The kind of a field's innermost value.
  package enum ValueKind: UInt8, Sendable { case text, id, int, float, boolean, custom, object }

  /// The kind of value that the fast path expects and reads without further checks.
  package enum FastPathKind: UInt8, Sendable { case text, int, bool, object, none }

  /// One slot of an object.
  package struct Step: Sendable {
    package var role = Role.plain
    package var valueKind = ValueKind.text
    package var fastPathKind = FastPathKind.none
    package var listDepth: UInt8 = 0
    /// Whether the field is a string or an ID outside of lists.
    package var isText = false
    /// The index of the only type whose objects have the field, among ``types``, if other slots of
    /// the object share its response key; otherwise ``none``.
    package var onlyType = Step.none
    /// The offset of its quoted response key in the program's key bytes; a colon follows the key.
    package var keyStart: Int32 = 0
    /// The length of the quoted key; 0 unless at most one slot of an object has the key, and the
    /// field is included.
    package var keyCount: Int32 = 0
    package var key = FieldKey(rawValue: .max)
    /// The index of a linked field's object; -1 for a scalar.
    package var child: Int32 = -1
    /// Its rank among the object's stored fields, sorted by key; -1 if it is not stored or the
    /// object has no ranks.
    package var rank: Int32 = -1
    /// The quoted response key and the colon, for comparison with a response's bytes.
    package var word = KeyWord()
    /// The index of the type condition around it among ``conditions``; ``none`` or ``excluded`` if
    /// the answer is the same for all objects.
    package var condition = Step.none

    /// No type condition has to be evaluated.
    package static let none: Int32 = -1
    /// The field is never read: variables leave it out, or the plan's type is another one than its
    /// condition's.
    package static let excluded: Int32 = -2
  }

  /// A type condition that is evaluated for each object of the response.
  package struct Condition: Sendable {
    /// The slot of the condition in the plan of its object.
    package var slot = 0
    /// The index of the concrete type among ``types``; -1 for an abstract type.
    package var type: Int32 = -1
    /// The condition around it, encoded as ``Step/condition`` is.
    package var outer = Step.none
  }

  /// The selection of one object.
  package struct Object: Sendable {
    package var firstStep = 0
    package var stepCount = 0
    /// The index of its type among ``types``; -1 if the response's `__typename` decides.
    package var type: Int32 = -1
    package var hasID = false
    /// Whether key fields other than `id` may identify it.
    package var hasKeys = false
    package var hasTypename = false
    package var hasDiscriminators = false
    package var hasHandles = false
    /// Whether several slots may have the response key of a member.
    package var hasSharedKeys = false
    /// The step of the id; ``Step/none`` if there is none, or several have different keys.
    package var idStep = Step.none
    /// The step of `__typename`; ``Step/none`` if there is none, or several have different keys.
    package var typenameStep = Step.none
    /// The number of storage keys of its fields; -1 if two fields of an object may have the same
    /// key, or there are more than 64 keys.
    package var storedCount: Int32 = -1
    /// The index in ``sortedKeys`` at which the sorted keys of those fields begin.
    package var firstKey = 0

    /// A bit set with one bit for each stored field.
    package var allFields: UInt64 { storedCount <= 0 ? 0 : .max >> UInt64(64 - storedCount) }
  }

  /// The objects, ``objectCount`` of them; the root is the first.
  package let objects: UnsafePointer<Object>
  /// The steps of all objects. Those of an object begin at its `firstStep`.
  package let steps: UnsafePointer<Step>
  /// The quoted response keys of all steps, each with a colon.
  package let keyBytes: UnsafePointer<UInt8>
  package let objectCount: Int
  private let stepCount: Int
  private let keyByteCount: Int
  private let sortedKeys: ContiguousArray<FieldKey>
  package let conditions: ContiguousArray<Condition>
  /// The maximal depth of nested objects.
  package let depth: Int
  /// An upper bound for the number of stored fields of nested objects.
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
  /// The references are `unowned`, because each plan holds its program and would otherwise form a
  /// cycle. The root plan keeps the others alive through its children; whoever uses the program
  /// must hold the root. A reference to a released plan would trap, not read freed memory.
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
  /// The buffer is valid as long as the program.
  ///
  /// - Precondition: `step` is one of ``steps``, which is not checked.
  @inline(__always)
  package func keyText(of step: UnsafePointer<Step>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: keyBytes + Int(step.pointee.keyStart), count: Int(step.pointee.keyCount))
  }

  /// Returns the sorted keys of the fields of an object that are set in `present`.
  ///
  /// - Precondition: `object` is below ``objectCount``, which is not checked.
  package func keys(of object: Int, present: UInt64) -> ContiguousArray<FieldKey> {
    let object = objects[object]
    return ContiguousArray(
      (0..<Int(object.storedCount)).lazy.filter { present >> UInt64($0) & 1 != 0 }
        .map { self.sortedKeys[object.firstKey + $0] })
  }
}

extension ResponseProgram {
  private struct Builder {
    var objects: ContiguousArray<Object> = []
    var steps: ContiguousArray<Step> = []
    var keyBytes: ContiguousArray<UInt8> = []
    var sortedKeys: ContiguousArray<FieldKey> = []
    var conditions: ContiguousArray<Condition> = []
    var typeNames: [String] = []
    var plans: [BoundPlan] = []
    var storageKeys: [String] = []
    var depth = 0

    mutating func add(_ plan: BoundPlan, depth: Int) -> Int32 {
      self.depth = max(self.depth, depth)
      let index = objects.count
      var object = Object()
      object.firstStep = steps.count
      object.stepCount = plan.plan.slots.count
      objects.append(object)
      plans.append(plan)
      storageKeys += plan.storageKeys
      steps.append(contentsOf: repeatElement(Step(), count: object.stepCount))
      if !plan.plan.isAbstract { object.type = type(plan.plan.typeName) }
      object.hasDiscriminators = plan.plan.hasDiscriminators
      object.hasKeys = !plan.plan.keySlots.isEmpty
      object.hasHandles = !plan.handles.isEmpty
      var stored: [Int] = []
      // The condition that applies inside the type condition of each slot. Nested slots come after
      // it.
      var innerConditions: [Int: Int32] = [:]
      for (slot, content) in plan.plan.slots.enumerated() {
        let outer = content.enclosing.map { innerConditions[$0] ?? Step.none } ?? Step.none
        if case .condition(let type) = content.content {
          innerConditions[slot] = condition(type, slot: slot, plan: plan, outer: outer)
        }
        guard let field = content.field else { continue }
        if !plan.isIncluded[slot] || outer == Step.excluded {
          steps[object.firstStep + slot].condition = Step.excluded
          continue
        }
        let isExclusive = !plan.plan.sharedSlots.contains(slot)
        var step = step(field, isExclusive: isExclusive)
        if !isExclusive { object.hasSharedKeys = true }
        step.key = plan.keys[slot]
        step.condition = outer
        if isExclusive, outer >= 0, plan.plan.slotsByKey[ByteString(field.responseKey)]?.count != 1
        {
          step.onlyType = conditions[Int(outer)].type
        }
        if step.role == .id { object.hasID = true }
        if object.hasKeys, step.role == .id { step.role = .plain }
        if step.role == .typename { object.hasTypename = true }
        if !field.isTypename { stored.append(object.firstStep + slot) }
        if let child = plan.children[slot] {
          // A part that no variables change is laid out once and copied.
          step.child =
            child.plan.isConstant && !plan.plan.isConstant
            ? append(child.program, depth: depth + 1) : add(child, depth: depth + 1)
          if step.listDepth == 0 { step.fastPathKind = .object }
        }
        steps[object.firstStep + slot] = step
      }
      assignRanks(to: stored, of: &object)
      object.idStep = commonStep(of: .id, in: object)
      object.typenameStep = commonStep(of: .typename, in: object)
      objects[index] = object
      return Int32(index)
    }

    /// Returns the value of ``Step/condition`` for the fields inside a type condition, adding the
    /// condition if the response has to decide it.
    private mutating func condition(
      _ type: TypeCondition, slot: Int, plan: BoundPlan, outer: Int32
    ) -> Int32 {
      if !plan.isIncluded[slot] || outer == Step.excluded { return Step.excluded }
      if !type.isAbstract, !plan.plan.isAbstract {
        // The plan's type is concrete, so the condition is decided here.
        return type.typeName.hasSameBytes(as: plan.plan.typeName) ? outer : Step.excluded
      }
      let typeIndex = type.isAbstract ? -1 : self.type(type.typeName)
      conditions.append(Condition(slot: slot, type: typeIndex, outer: outer))
      return Int32(conditions.count - 1)
    }

    /// Appends a program that is laid out already, with its indices shifted.
    private mutating func append(_ part: ResponseProgram, depth: Int) -> Int32 {
      self.depth = max(self.depth, depth + part.depth - 1)
      let (firstObject, firstStep, firstKey) = (objects.count, steps.count, sortedKeys.count)
      let types = part.types.names.map { type($0) }
      for var object in UnsafeBufferPointer(start: part.objects, count: part.objectCount) {
        object.firstStep += firstStep
        if object.idStep >= 0 { object.idStep += Int32(firstStep) }
        if object.typenameStep >= 0 { object.typenameStep += Int32(firstStep) }
        object.firstKey += firstKey
        if object.type >= 0 { object.type = types[Int(object.type)] }
        objects.append(object)
      }
      let (firstByte, firstCondition) = (Int32(keyBytes.count), Int32(conditions.count))
      for var condition in part.conditions {
        if condition.type >= 0 { condition.type = types[Int(condition.type)] }
        if condition.outer >= 0 { condition.outer += firstCondition }
        conditions.append(condition)
      }
      for var step in UnsafeBufferPointer(start: part.steps, count: part.stepCount) {
        step.keyStart += firstByte
        if step.onlyType >= 0 { step.onlyType = types[Int(step.onlyType)] }
        if step.child >= 0 { step.child += Int32(firstObject) }
        if step.condition >= 0 { step.condition += firstCondition }
        steps.append(step)
      }
      keyBytes += UnsafeBufferPointer(start: part.keyBytes, count: part.keyByteCount)
      sortedKeys += part.sortedKeys
      plans += (0..<part.objectCount).map { part.plans[$0] }
      storageKeys += part.storageKeys
      return Int32(firstObject)
    }

    /// Returns the index of the first step with a role, if all steps with it have the same response
    /// key, which no other step has.
    private func commonStep(of role: Role, in object: Object) -> Int32 {
      let range = object.firstStep..<object.firstStep + object.stepCount
      let found = range.filter { steps[$0].role == role && steps[$0].condition != Step.excluded }
      func key(_ step: Int) -> ArraySlice<UInt8> {
        let start = Int(steps[step].keyStart)
        return keyBytes[start..<start + Int(steps[step].keyCount)]
      }
      guard let first = found.first, !key(first).isEmpty,
        found.allSatisfy({ key($0) == key(first) }),
        range.filter({ key($0) == key(first) }) == found
      else { return Step.none }
      return Int32(first)
    }

    /// Ranks the stored fields of an object by their keys.
    ///
    /// - Parameter stored: The indices of their steps.
    private mutating func assignRanks(to stored: [Int], of object: inout Object) {
      object.firstKey = sortedKeys.count
      var keys: ContiguousArray<FieldKey> = []
      let sorted = stored.sorted { steps[$0].key.rawValue < steps[$1].key.rawValue }
      for (position, step) in sorted.enumerated() {
        if position > 0, steps[step].key == keys.last {
          // Fields share a rank if at most one of them is in an object.
          if steps[step].onlyType < 0 || steps[sorted[position - 1]].onlyType < 0 {
            return clearRanks(of: stored)
          }
        } else {
          keys.append(steps[step].key)
        }
        steps[step].rank = Int32(keys.count - 1)
      }
      guard keys.count <= 64 else { return clearRanks(of: stored) }
      object.storedCount = Int32(keys.count)
      sortedKeys += keys
    }

    private mutating func clearRanks(of stored: [Int]) {
      for step in stored { steps[step].rank = -1 }
    }

    private mutating func step(_ field: PlanField, isExclusive: Bool) -> Step {
      var step = Step()
      step.role =
        field.isDiscriminator
        ? .discriminator : field.isTypename ? .typename : field.isID ? .id : .plain
      step.valueKind = ValueKind(field.type.namedType)
      step.listDepth = UInt8(clamping: field.type.listDepth)
      step.isText = step.listDepth == 0 && (step.valueKind == .text || step.valueKind == .id)
      if step.listDepth == 0 { step.fastPathKind = FastPathKind(step.valueKind) }
      if isExclusive {
        let text = Array("\"\(field.responseKey)\":".utf8)
        step.keyStart = Int32(keyBytes.count)
        step.keyCount = Int32(text.count - 1)
        keyBytes += text
        step.word = KeyWord(text)
      }
      return step
    }

    private mutating func type(_ name: String) -> Int32 {
      if let index = typeNames.firstIndex(where: { $0.hasSameBytes(as: name) }) {
        return Int32(index)
      }
      typeNames.append(name)
      return Int32(typeNames.count - 1)
    }
  }
}

extension ResponseProgram.FastPathKind {
  fileprivate init(_ kind: ResponseProgram.ValueKind) {
    switch kind {
    // A custom scalar may be any value but is mostly a string.
    case .text, .id, .custom: self = .text
    case .int: self = .int
    case .boolean: self = .bool
    case .float, .object: self = .none
    }
  }
}

extension ResponseProgram.ValueKind {
  fileprivate init(_ type: PlanType.NamedType) {
    switch type {
    case .id: self = .id
    case .string, .enumeration: self = .text
    case .int: self = .int
    case .float: self = .float
    case .boolean: self = .boolean
    case .custom: self = .custom
    case .object: self = .object
    }
  }
}
