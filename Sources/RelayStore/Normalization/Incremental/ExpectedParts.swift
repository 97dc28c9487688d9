/// The parts that a program's plans expect in its responses.
struct ExpectedParts {
  /// The labels of the parts that may arrive: deferred fragments and streamed lists.
  private(set) var labels: [PartLabel] = []
  /// The indexes of the labels.
  private var indexes: [ByteString: Int] = [:]
  /// Whether several fields of a selection link to the same objects, each field with its own
  /// selections. A payload may then contain an object several times, and link to only one of them.
  private(set) var sharesLinks = false
  /// Whether any field has a handle.
  private(set) var hasHandles = false

  init(_ program: ResponseProgram) {
    for object in 0..<program.objectCount {
      let plan = program.plans[object]
      for (part, _) in plan.deferrals.all {
        insert(PartLabel(label: part.label, fragment: part.fragment))
      }
      for slot in plan.plan.slots {
        if let label = slot.field?.streamLabel { insert(PartLabel(label: label)) }
      }
      let keys = plan.keys.indices.filter { plan.children[$0] != nil }.map { plan.keys[$0] }
      if Set(keys).count < keys.count { sharesLinks = true }
      if !plan.handles.isEmpty { hasHandles = true }
    }
  }

  private mutating func insert(_ label: PartLabel) {
    let key = ByteString(label.label)
    if indexes[key] != nil { return }
    indexes[key] = labels.count
    labels.append(label)
  }

  /// Returns the index of a label; `nil` if no part with the label is expected.
  func index(of label: String) -> Int? { indexes[ByteString(label)] }

  /// Whether a label belongs to a streamed list.
  func isStreamed(_ index: Int) -> Bool { labels[index].isStreamed }
}
