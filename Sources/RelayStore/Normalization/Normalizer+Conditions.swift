// Fields inside type conditions are written where their conditions hold, or may hold for all that is known.

extension Normalizer {
  /// Whether the conditions around a field of the innermost object may hold: only where one is known not to is the
  /// field left out.
  mutating func mayBeThere(_ step: ResponseProgram.Step) throws -> Bool {
    var number = step.condition
    // The discriminator decides its own condition.
    if step.role == .discriminator, number >= 0 {
      number = program.conditions[Int(number)].outer
    }
    while number >= 0 {
      if try holds(number) == false { return false }
      number = program.conditions[Int(number)].outer
    }
    return number != ResponseProgram.Step.excluded
  }

  /// Whether the object's type is known, where a field that shares its response key with others is inside of a
  /// condition on a concrete type: without a type the value may be that of any of them.
  mutating func hasKnownType(_ step: ResponseProgram.Step) throws -> Bool {
    var number = step.condition
    while number >= 0 {
      let condition = program.conditions[Int(number)]
      if condition.type >= 0 { return try type(of: depth - 1) >= 0 }
      number = condition.outer
    }
    return true
  }

  /// Whether all conditions around a field of the innermost object are known to hold.
  mutating func isExpected(_ step: ResponseProgram.Step) throws -> Bool {
    var number = step.condition
    while number >= 0 {
      guard try holds(number) == true else { return false }
      number = program.conditions[Int(number)].outer
    }
    return number != ResponseProgram.Step.excluded
  }

  /// Whether the innermost object meets a condition; `nil` where neither the response nor the compiled schema says.
  private mutating func holds(_ number: Int32) throws -> Bool? {
    let (frame, condition) = (depth - 1, program.conditions[Int(number)])
    if condition.type >= 0 {
      let type = try type(of: frame)
      return type < 0 ? nil : type == condition.type
    }
    if discriminators.contains(where: { $0.frame == frame && $0.condition == number }) {
      return true
    }
    let plan = program.plans[frames[frame].object].plan
    guard case .condition(let abstract) = plan.slots[condition.slot].content,
      let typeName = plan.isAbstract ? types.name(try type(of: frame)) : plan.typeName,
      let known = plan.types?.satisfies(typeName, abstract.typeName)
    else { return nil }
    if known { return true }
    // A server that knows better may say so behind the field.
    let key = "__is" + abstract.typeName
    let told = try lookAhead(in: frame) { $0.isDiscriminator && $0.responseKey == key }
    if case .string = told { return true }
    return false
  }
}
