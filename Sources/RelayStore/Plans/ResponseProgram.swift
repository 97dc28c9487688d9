/// A bound normalization plan laid out flat, for reading responses without following references.
package final class ResponseProgram: Sendable {
  /// What a field is to the object around it.
  package enum Role: UInt8, Sendable { case plain, typename, discriminator, id }

  /// What the innermost value of a field has to be.
  package enum Leaf: UInt8, Sendable { case text, id, int, float, boolean, custom, object }

  /// One slot of an object.
  package struct Step: Sendable {
    package var role = Role.plain
    package var leaf = Leaf.text
    package var listDepth: UInt8 = 0
    /// Whether a string is a value of it.
    package var isText = false
    /// Whether it is a field whose response key no other slot of the object has.
    package var isUnique = false
    /// Where its response key with the quotes stands among the program's key bytes.
    package var keyStart: Int32 = 0
    package var keyCount: Int32 = 0
    package var key = FieldKey(rawValue: .max)
    /// The object of a linked field; -1 for a scalar.
    package var child: Int32 = -1
    /// Its place among the fields of the object that are stored.
    package var ordinal: Int32 = -1
  }

  /// One selection of an object.
  package struct Object: Sendable {
    package var firstStep = 0
    package var stepCount = 0
    /// Its type, among ``typeNames``; -1 where the response has to tell it.
    package var type: Int32 = -1
    package var hasID = false
    /// Whether other fields than `id` may make its identity.
    package var hasKeys = false
    package var hasTypename = false
    package var hasDiscriminators = false
    package var hasHandles = false
    /// How many fields are stored; -1 where two have the same key.
    package var storedCount: Int32 = -1
    /// Where the stored fields' order by key begins in ``orders``.
    package var firstOrder = 0
  }

  package let objects: ContiguousArray<Object>
  package let steps: ContiguousArray<Step>
  package let keyBytes: ContiguousArray<UInt8>
  /// For each object the ordinals of its stored fields, sorted by key.
  package let orders: ContiguousArray<Int32>
  package let typeNames: [String]
  /// The plan of each object.
  package let plans: [BoundPlan]
  /// The storage keys of all steps.
  package let storageKeys: [String]

  package init(_ root: BoundPlan) {
    var builder = Builder()
    _ = builder.add(root)
    objects = builder.objects
    steps = builder.steps
    keyBytes = builder.keyBytes
    orders = builder.orders
    typeNames = builder.typeNames
    plans = builder.plans
    storageKeys = builder.storageKeys
  }

  /// The sorted keys of an object of which every field is there.
  package func keys(of object: Int) -> ContiguousArray<FieldKey> {
    let object = objects[object]
    let all = steps[object.firstStep..<object.firstStep + object.stepCount]
    let stored = all.filter { $0.ordinal >= 0 }
    return ContiguousArray(
      orders[object.firstOrder..<object.firstOrder + Int(object.storedCount)].map {
        stored[Int($0)].key
      })
  }
}

extension ResponseProgram {
  private struct Builder {
    var objects: ContiguousArray<Object> = []
    var steps: ContiguousArray<Step> = []
    var keyBytes: ContiguousArray<UInt8> = []
    var orders: ContiguousArray<Int32> = []
    var typeNames: [String] = []
    var plans: [BoundPlan] = []
    var storageKeys: [String] = []

    mutating func add(_ plan: BoundPlan) -> Int32 {
      let number = objects.count
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
      var stored: [FieldKey] = []
      for (slot, content) in plan.plan.slots.enumerated() {
        guard let field = content.field else { continue }
        var step = step(field, key: plan.plan.uniqueKeys[slot])
        step.key = plan.keys[slot]
        if step.role == .id { object.hasID = true }
        if object.hasKeys, step.role == .id { step.role = .plain }
        if step.role == .typename { object.hasTypename = true }
        if !field.isTypename {
          step.ordinal = Int32(stored.count)
          stored.append(step.key)
        }
        if let child = plan.children[slot] { step.child = add(child) }
        steps[object.firstStep + slot] = step
      }
      order(stored, of: &object)
      objects[number] = object
      return Int32(number)
    }

    private mutating func order(_ stored: [FieldKey], of object: inout Object) {
      object.firstOrder = orders.count
      guard Set(stored).count == stored.count else { return }
      object.storedCount = Int32(stored.count)
      orders += stored.indices.sorted { stored[$0].rawValue < stored[$1].rawValue }.map(Int32.init)
    }

    private mutating func step(_ field: PlanField, key: [UInt8]?) -> Step {
      var step = Step()
      step.role =
        field.isDiscriminator
        ? .discriminator : field.isTypename ? .typename : field.isID ? .id : .plain
      step.leaf = Leaf(field.type.leaf)
      step.listDepth = UInt8(clamping: field.type.listDepth)
      step.isText = step.listDepth == 0 && (step.leaf == .text || step.leaf == .id)
      if let key {
        step.isUnique = true
        step.keyStart = Int32(keyBytes.count)
        step.keyCount = Int32(key.count + 2)
        keyBytes.append(UInt8(ascii: "\""))
        keyBytes += key
        keyBytes.append(UInt8(ascii: "\""))
      }
      return step
    }

    private mutating func type(_ name: String) -> Int32 {
      if let known = typeNames.firstIndex(where: { $0.hasSameBytes(as: name) }) {
        return Int32(known)
      }
      typeNames.append(name)
      return Int32(typeNames.count - 1)
    }
  }
}

extension ResponseProgram.Leaf {
  fileprivate init(_ leaf: PlanType.Leaf) {
    switch leaf {
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
