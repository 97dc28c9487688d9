import RelayStore

/// The parts of a response that are still to be delivered.
///
/// A deferred fragment is *open* once its enclosing fragment and the payload with its object were
/// sent. It is *released* when the test lets it proceed, and *complete* when its groups have been
/// executed. A group belongs to all fragments that select its fields.
///
/// Source: the incremental delivery in the draft of the GraphQL specification.
struct IncrementalGraph {
  /// A part that was announced with an id.
  enum Part {
    case fragment(DeferredFragment)
    case list(StreamedList)
  }

  /// A deferred fragment that was delivered.
  struct CompletedFragment {
    /// The groups delivered with the fragment, each with the open fragment that has the longest
    /// path.
    var groups: [(group: DeferredGroup, result: PartResult, target: DeferredFragment)] = []
    /// The errors of a fragment that failed.
    var errors: [ExecutionError]?
  }

  private struct Node {
    var id: Int?
    var isReleased = false
    var isComplete = false
    /// The groups that were not started.
    var waiting: [DeferredGroup] = []
    /// The number of groups that have not been executed.
    var unfinishedCount = 0
    /// The executed groups that were not delivered.
    var finished: [DeferredGroup] = []
    var errors: [ExecutionError]?
  }

  private var nodes: [DeferredFragment: Node] = [:]
  /// The parts that may open when a fragment is complete.
  private var children: [DeferredFragment: [Part]] = [:]
  private var listIDs: [StreamedList: Int] = [:]
  /// The groups that are being executed.
  private var started: Set<DeferredGroup> = []
  /// The results of executed groups that were not delivered.
  private var results: [DeferredGroup: PartResult] = [:]
  /// The parts whose object was sent; ``open()`` opens them.
  private var candidates: [Part] = []
  private var nextID = 0
  private(set) var openCount = 0

  /// Adds work that was found in data.
  ///
  /// - Parameter parents: The fragments that the data belongs to; empty for data that was sent.
  /// - Returns: The groups to execute now, because their fragment is already released.
  mutating func add(_ work: [DeferredWork], parents: [DeferredFragment]) -> [DeferredGroup] {
    var ready: [DeferredGroup] = []
    for work in work {
      switch work {
      case .group(let group):
        for fragment in group.fragments {
          add(fragment)
          nodes[fragment]?.unfinishedCount += 1
          nodes[fragment]?.waiting.append(group)
        }
        let isReleased = group.fragments.contains { nodes[$0]?.isReleased == true }
        if isReleased, start(group) { ready.append(group) }
      case .list(let list):
        if parents.isEmpty { candidates.append(.list(list)) }
        for parent in parents { children[parent, default: []].append(.list(list)) }
      }
    }
    return ready
  }

  /// Adds a fragment and its enclosing fragments.
  private mutating func add(_ fragment: DeferredFragment) {
    var fragment = fragment
    while nodes[fragment] == nil {
      nodes[fragment] = Node()
      guard let parent = fragment.parent, nodes[parent]?.isComplete != true else {
        return candidates.append(.fragment(fragment))
      }
      children[parent, default: []].append(.fragment(fragment))
      fragment = parent
    }
  }

  private mutating func start(_ group: DeferredGroup) -> Bool {
    started.insert(group).inserted
  }

  /// Opens the parts whose object was sent, and assigns their ids. Skips a fragment without direct
  /// fields and opens its inner fragments instead.
  mutating func open() -> [(part: Part, id: Int)] {
    var opened: [(part: Part, id: Int)] = []
    var index = 0
    while index < candidates.count {
      let part = candidates[index]
      index += 1
      switch part {
      case .fragment(let fragment):
        guard let node = nodes[fragment], node.id == nil, !node.isComplete else { continue }
        if node.unfinishedCount == 0, node.finished.isEmpty, node.errors == nil {
          nodes[fragment]?.isComplete = true
          candidates += children.removeValue(forKey: fragment) ?? []
          continue
        }
        nodes[fragment]?.id = nextID
      case .list(let list):
        guard listIDs[list] == nil else { continue }
        listIDs[list] = nextID
      }
      opened.append((part, nextID))
      nextID += 1
      openCount += 1
    }
    candidates = []
    return opened
  }

  /// Returns the id of an open or completed fragment.
  func id(of fragment: DeferredFragment) -> Int? { nodes[fragment]?.id }

  /// Returns the id of an opened list.
  func id(of list: StreamedList) -> Int? { listIDs[list] }

  /// Releases an open fragment, and returns the groups to execute.
  mutating func release(_ fragment: DeferredFragment) -> [DeferredGroup] {
    nodes[fragment]?.isReleased = true
    let waiting = nodes[fragment]?.waiting ?? []
    nodes[fragment]?.waiting = []
    return waiting.filter { start($0) }
  }

  /// Records the result of a group, and returns the groups to execute now.
  mutating func finish(_ group: DeferredGroup, _ result: PartResult) -> [DeferredGroup] {
    started.remove(group)
    for fragment in group.fragments {
      var node = nodes[fragment] ?? Node()
      node.unfinishedCount -= 1
      node.waiting.removeAll { $0 === group }
      if result.data == nil {
        node.errors = (node.errors ?? []) + result.errors
      } else {
        node.finished.append(group)
      }
      nodes[fragment] = node
    }
    guard result.data != nil else { return [] }
    results[group] = result
    return add(result.deferred, parents: group.fragments)
  }

  /// Completes a fragment if it is released and executed; otherwise returns `nil`.
  mutating func complete(_ fragment: DeferredFragment) -> CompletedFragment? {
    guard let node = nodes[fragment], node.id != nil, node.isReleased, !node.isComplete,
      node.errors != nil || node.unfinishedCount == 0
    else { return nil }
    nodes[fragment]?.isComplete = true
    openCount -= 1
    if let errors = node.errors { return CompletedFragment(errors: errors) }
    candidates += children.removeValue(forKey: fragment) ?? []
    var completed = CompletedFragment()
    for group in node.finished {
      guard let result = results.removeValue(forKey: group) else { continue }
      completed.groups.append((group, result, target(of: group, for: fragment)))
      for other in group.fragments { nodes[other]?.finished.removeAll { $0 === group } }
    }
    return completed
  }

  /// Returns a group's open fragment with the longest path.
  private func target(
    of group: DeferredGroup, for fragment: DeferredFragment
  ) -> DeferredFragment {
    var target = fragment
    for other in group.fragments where other.path.components.count > target.path.components.count {
      if let node = nodes[other], node.id != nil, !node.isComplete { target = other }
    }
    return target
  }

  /// Closes a list after its last item.
  mutating func close(_ list: StreamedList) { openCount -= 1 }
}
