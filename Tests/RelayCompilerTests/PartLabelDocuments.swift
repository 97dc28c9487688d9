import SeededRandom

/// Random documents with deferred and streamed parts in fragments that are copied for arguments,
/// unmasked, included under conditions, and spread at many objects.
struct PartLabelDocuments {
  static let schema = """
    directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
    interface Node { id: ID! name: String friend: Node friends: [Node!] }
    type User implements Node { id: ID! name: String friend: Node friends: [Node!] }
    type Page implements Node { id: ID! name: String friend: Node friends: [Node!] }
    type Query { me: User node: Node nodes: [Node!] }
    """

  /// A fragment; it only spreads fragments with a greater index.
  private struct Fragment {
    let index: Int
    let type: String
    /// Whether it has a variable `$on`.
    let hasVariable: Bool

    /// Whether it may be unmasked. If so, it streams no lists: a list must not be streamed twice.
    var mayBeUnmasked: Bool { index > 1 }
  }

  private var generator: SeededGenerator
  private var fragments: [Fragment] = []
  /// The fragment under construction; `nil` in the operation.
  private var current: Fragment?
  /// The number of keys used.
  private var keyCount = 0
  private static let depthLimit = 3

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Returns a document with one operation that uses all of its variables.
  mutating func document() -> String {
    fragments = (0..<4).map { index in
      Fragment(index: index, type: pick(["Node", "User"]), hasVariable: roll(3) > 0)
    }
    current = nil
    var text = "query Q($a: Boolean!, $b: Boolean!, $c: Boolean!) { "
    text += ["a", "b", "c"].map { "\($0): me @include(if: $\($0)) { id } " }.joined()
    for _ in 0...roll(4) {
      text +=
        "\(pick(["shared", key()])): node \(condition()) { \(selections(on: "Node", depth: 1)) } "
    }
    text += "}"
    for fragment in fragments {
      current = fragment
      let definitions = #"@argumentDefinitions(on: {type: "Boolean!", defaultValue: true})"#
      text += "\nfragment F\(fragment.index) on \(fragment.type) "
      text += fragment.hasVariable ? definitions : ""
      text += " { \(key()): name \(fragment.hasVariable ? "@include(if: $on)" : "") "
      text += selections(on: fragment.type, depth: 1) + " }"
    }
    return text
  }

  private mutating func selections(on type: String, depth: Int) -> String {
    (0...roll(3)).map { _ in selection(on: type, depth: depth) }.joined(separator: " ")
  }

  private mutating func selection(on type: String, depth: Int) -> String {
    if depth == Self.depthLimit || roll(2) == 0 { return spread(on: type) }
    func set(_ type: String) -> String {
      condition() + " { " + selections(on: type, depth: depth + 1) + " }"
    }
    switch roll(4) {
    case 0: return "\(key()): friend " + set("Node")
    case 1: return "shared: friend " + set("Node")
    case 2 where current?.mayBeUnmasked != true:
      return "\(key()): friends @stream(initialCount: 0) " + set("Node")
    default:
      let inner = type == "Node" ? pick(["Node", "User", "Page"]) : type
      return "... on \(inner) " + set(inner)
    }
  }

  /// Returns a spread of a later fragment that is possible on a type, or else a field.
  private mutating func spread(on type: String) -> String {
    let (first, isPage) = ((current?.index ?? -1) + 1, type == "Page")
    let possible = fragments.filter { $0.index >= first && (!isPage || $0.type == "Node") }
    guard let fragment = possible.randomElement(using: &generator) else { return "name" }
    let own = current?.hasVariable == true
    var text = "...F\(fragment.index) "
    if fragment.hasVariable, roll(3) > 0 {
      text += "@arguments(on: \(pick(["true", "false", "$a", "$b"] + (own ? ["$on"] : [])))) "
    }
    if fragment.mayBeUnmasked, roll(2) == 0 { return text + "@relay(mask: false) " + condition() }
    text += "@alias(as: \"\(key())\") "
    if roll(3) > 0 {
      let argument = pick(["", "", ", if: $a"] + (own ? [", if: $on"] : []))
      text += "@defer(label: \"\(key())\"\(argument)) "
    }
    return text + condition()
  }

  /// Returns a condition that does not contradict any other.
  private mutating func condition() -> String {
    pick(["", "", "", "@include(if: $a)", "@include(if: $b)", "@skip(if: $c)"])
  }

  private mutating func key() -> String {
    keyCount += 1
    return "x\(keyCount)"
  }

  private mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

  private mutating func pick(_ texts: [String]) -> String {
    texts.randomElement(using: &generator) ?? ""
  }
}
