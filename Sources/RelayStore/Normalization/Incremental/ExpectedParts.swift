/// What a program's plans say of the parts of its responses.
struct ExpectedParts {
  /// The name of the fragment that is deferred by each label.
  private(set) var fragments: [String: String] = [:]
  /// The labels of streamed lists.
  private(set) var streamed: Set<String> = []
  /// Whether several fields of a selection link to the same objects, each with selections of its
  /// own. A payload then has an object several times, and links only to one of them.
  private(set) var sharesLinks = false

  init(_ program: ResponseProgram) {
    for object in 0..<program.objectCount {
      let plan = program.plans[object]
      for (part, _) in plan.deferrals.all { fragments[part.label] = part.fragment }
      for slot in plan.plan.slots {
        if let label = slot.field?.streamLabel { streamed.insert(label) }
      }
      let keys = plan.keys.indices.filter { plan.children[$0] != nil }.map { plan.keys[$0] }
      if Set(keys).count < keys.count { sharesLinks = true }
    }
  }

  /// Whether a part with a label is expected.
  func isPart(_ label: String) -> Bool { fragments[label] != nil || streamed.contains(label) }
}
