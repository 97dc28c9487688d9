/// The labels of the parts that a program's plans expect.
struct PartLabels {
  /// The name of the fragment that is deferred by each label.
  private(set) var fragments: [String: String] = [:]
  /// The labels of streamed lists.
  private(set) var streamed: Set<String> = []

  init(_ program: ResponseProgram) {
    for object in 0..<program.objectCount {
      let plan = program.plans[object]
      for (part, _) in plan.deferrals.all { fragments[part.label] = part.fragment }
      for slot in plan.plan.slots {
        if let label = slot.field?.streamLabel { streamed.insert(label) }
      }
    }
  }
}
