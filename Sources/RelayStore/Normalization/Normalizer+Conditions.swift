// Type conditions. A field inside them is written unless one of them is false. A condition that
// cannot be decided is neither true nor false.

extension Normalizer {
  /// Whether a field of the innermost object may apply: none of its type conditions is false.
  mutating func mayApply(_ step: ResponseProgram.Step) throws -> Bool {
    var index = step.condition
    // A discriminator decides its own condition, so only the outer ones count.
    if step.role == .discriminator, index >= 0 {
      index = program.conditions[Int(index)].outer
    }
    while index >= 0 {
      if try holds(index) == false { return false }
      index = program.conditions[Int(index)].outer
    }
    return index != ResponseProgram.Step.excluded
  }

  /// Whether the object's type is resolved, if the field is inside a condition on a concrete type.
  ///
  /// Without the type, a value may belong to any of the fields that share its response key.
  mutating func hasResolvedType(_ step: ResponseProgram.Step) throws -> Bool {
    var index = step.condition
    while index >= 0 {
      let condition = program.conditions[Int(index)]
      if condition.type >= 0 { return try type(of: depth - 1) >= 0 }
      index = condition.outer
    }
    return true
  }

  /// Whether all type conditions of a field of the innermost object are true.
  mutating func isExpected(_ step: ResponseProgram.Step) throws -> Bool {
    var index = step.condition
    while index >= 0 {
      guard try holds(index) == true else { return false }
      index = program.conditions[Int(index)].outer
    }
    return index != ResponseProgram.Step.excluded
  }

  /// Evaluates a condition for the innermost object; `nil` if neither the response nor the compiled
  /// schema decides it.
  private mutating func holds(_ index: Int32) throws -> Bool? {
    let (frame, condition) = (depth - 1, program.conditions[Int(index)])
    if condition.type >= 0 {
      let type = try type(of: frame)
      return type < 0 ? nil : type == condition.type
    }
    if discriminators.contains(where: { $0.frame == frame && $0.condition == index }) {
      return true
    }
    let plan = program.plans[frames[frame].object].plan
    guard case .condition(let abstract) = plan.slots[condition.slot].content,
      let typeName = plan.isAbstract ? types.name(at: try type(of: frame)) : plan.typeName,
      let satisfies = plan.types?.satisfies(typeName, abstract.typeName)
    else { return nil }
    if satisfies { return true }
    // A server with a newer schema may still send the discriminator after the field.
    let key = "__is" + abstract.typeName
    let discriminator = try lookAhead(in: frame) { $0.isDiscriminator && $0.responseKey == key }
    if case .string = discriminator { return true }
    return false
  }
}
