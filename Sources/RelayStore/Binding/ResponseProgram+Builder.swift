extension ResponseProgram {
  /// Lays out a bound plan in the arrays of a program.
  struct Builder {
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
      var object = begin(plan)
      var stored: [Int] = []
      // The condition that applies inside each type condition, by slot. Nested slots follow their
      // type condition.
      var innerConditions: [Int: Int32] = [:]
      for (slot, content) in plan.plan.slots.enumerated() {
        let outer = content.enclosing.map { innerConditions[$0] ?? Step.none } ?? Step.none
        if case .condition(let type) = content.content {
          innerConditions[slot] = condition(type, slot: slot, plan: plan, outer: outer)
        }
        guard let field = content.field else { continue }
        let position = object.firstStep + slot
        if !plan.isIncluded[slot] || outer == Step.excluded {
          steps[position].condition = Step.excluded
          continue
        }
        if !field.isTypename { stored.append(position) }
        var step = step(field, slot: slot, of: plan, outer: outer, in: &object)
        if let child = plan.children[slot] { step.child = add(child, of: plan, depth: depth + 1) }
        steps[position] = step
      }
      assignRanks(to: stored, of: &object)
      object.idStep = commonStep(of: .id, in: object)
      object.typenameStep = commonStep(of: .typename, in: object)
      objects[index] = object
      return Int32(index)
    }

    /// Reserves the object of a plan and its steps.
    private mutating func begin(_ plan: BoundPlan) -> Object {
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
      return object
    }

    /// Returns the step of a field, without its child.
    private mutating func step(
      _ field: PlanField, slot: Int, of plan: BoundPlan, outer: Int32, in object: inout Object
    ) -> Step {
      let isExclusive = !plan.plan.sharedSlots.contains(slot)
      var step = step(field, isExclusive: isExclusive)
      if !isExclusive { object.hasSharedKeys = true }
      step.key = plan.keys[slot]
      step.condition = outer
      if isExclusive, outer >= 0, plan.plan.slotsByKey[ByteString(field.responseKey)]?.count != 1 {
        step.onlyType = conditions[Int(outer)].type
      }
      if step.role == .id { object.hasID = true }
      if object.hasKeys, step.role == .id { step.role = .plain }
      if step.role == .typename { object.hasTypename = true }
      if plan.deferrals.isDeferred(slot) || field.streamLabel != nil {
        object.hasDeferredParts = true
      }
      if plan.children[slot] != nil {
        if step.listDepth == 0 { step.fastPathKind = .object }
      }
      return step
    }

    /// Adds the plan of linked objects. A plan that does not depend on variables is laid out once
    /// and copied.
    private mutating func add(_ child: BoundPlan, of plan: BoundPlan, depth: Int) -> Int32 {
      child.plan.isConstant && !plan.plan.isConstant
        ? append(child.program, depth: depth) : add(child, depth: depth)
    }

    /// Returns the value of ``Step/condition`` for the fields inside a type condition. Adds the
    /// condition if only the response can decide it.
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

    /// Appends a program that is laid out already, shifting its indices.
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

    /// Returns the index of the first step with a role, if all steps with the role have the same
    /// response key and no other step has it.
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
      let sorted = stored.sorted(byNumber: { UInt64(steps[$0].key.rawValue) })
      for (position, step) in sorted.enumerated() {
        if position > 0, steps[step].key == keys.last {
          // Fields share a rank only if an object has at most one of them.
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
    // A custom scalar may be any value, but is usually a string.
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
