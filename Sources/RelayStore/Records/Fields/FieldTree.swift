/// The fields of a record with many fields: a persistent radix tree over the raw values of the
/// keys.
///
/// A write copies the nodes on the path to its field and shares all others with the previous tree,
/// so its cost does not depend on the number of fields.
package struct FieldTree: Sendable {
  /// A field with its value and the errors that the server reported for it.
  package struct Field: Equatable, Sendable {
    package let key: FieldKey
    package let value: FieldValue
    package let errors: [StoredError]

    package init(key: FieldKey, value: FieldValue, errors: [StoredError] = []) {
      self.key = key
      self.value = value
      self.errors = errors
    }
  }

  /// A node of the tree, with one child for each of sixteen digits.
  fileprivate final class Node: Sendable {
    package enum Content: Sendable {
      case nodes([Node])
      case fields([Field])
    }

    /// The digits that have a child, as bits.
    let digits: UInt16
    /// The children in the order of their digits.
    let content: Content

    init(_ digits: UInt16, _ content: Content) {
      self.digits = digits
      self.content = content
    }

    static func leaf(_ field: Field, digit: Int) -> Node { Node(1 << digit, .fields([field])) }

    func contains(_ digit: Int) -> Bool { digits >> digit & 1 != 0 }

    /// Returns the index of a digit's child, or its insertion point.
    func position(of digit: Int) -> Int { (digits & (1 << digit - 1)).nonzeroBitCount }

    func node(at digit: Int) -> Node? {
      guard contains(digit), case .nodes(let nodes) = content else { return nil }
      return nodes[position(of: digit)]
    }
  }

  /// The number of bits in a digit.
  private static let digitSize = 4

  private var root: Node?
  /// The number of bits below the first digit.
  private var shift = 0
  package private(set) var count = 0
  /// The number of fields that have errors.
  package private(set) var errorCount = 0

  package init() {}

  /// Creates a tree of fields.
  ///
  /// - Parameter fields: The fields, in any order. If several have the same key, the last one is
  ///   stored.
  package init(_ fields: some Sequence<Field>) {
    for field in fields { set(field) }
  }

  private static func digit(of key: FieldKey, at shift: Int) -> Int {
    Int(key.rawValue >> UInt32(shift) & 15)
  }

  /// Whether a key has more digits than the tree.
  private func isBeyond(_ key: FieldKey) -> Bool {
    UInt64(key.rawValue) >> UInt64(shift + Self.digitSize) != 0
  }

  /// Returns the field with a key; `nil` if there is none.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of storage keys in the entire store.
  package subscript(key: FieldKey) -> Field? {
    guard !isBeyond(key), var node = root else { return nil }
    var shift = shift
    while true {
      let digit = Self.digit(of: key, at: shift)
      guard node.contains(digit) else { return nil }
      switch node.content {
      case .fields(let fields): return fields[node.position(of: digit)]
      case .nodes(let nodes): node = nodes[node.position(of: digit)]
      }
      shift -= Self.digitSize
    }
  }

  // MARK: Writing

  /// Inserts a field or replaces the one with the same key.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of storage keys in the entire store.
  package mutating func set(_ field: Field) {
    while isBeyond(field.key) {
      root = root.map { Node(1, .nodes([$0])) }
      shift += Self.digitSize
    }
    let old = self[field.key]
    if old == nil { count += 1 }
    errorCount += (field.errors.isEmpty ? 0 : 1) - (old?.errors.isEmpty == false ? 1 : 0)
    root = Self.setting(field, in: root, shift: shift)
  }

  private static func setting(_ field: Field, in node: Node?, shift: Int) -> Node {
    let digit = digit(of: field.key, at: shift)
    let child =
      shift > 0 ? setting(field, in: node?.node(at: digit), shift: shift - digitSize) : nil
    guard let node else {
      return child.map { Node(1 << digit, .nodes([$0])) } ?? .leaf(field, digit: digit)
    }
    let position = node.position(of: digit)
    let range = position..<position + (node.contains(digit) ? 1 : 0)
    switch node.content {
    case .fields(var fields):
      fields.replaceSubrange(range, with: CollectionOfOne(field))
      return Node(node.digits | 1 << digit, .fields(fields))
    case .nodes(var nodes):
      nodes.replaceSubrange(range, with: child.map { [$0] } ?? [])
      return Node(node.digits | 1 << digit, .nodes(nodes))
    }
  }

  /// Removes a field.
  ///
  /// - Returns: Whether the tree had the field.
  /// - Complexity: O(log *n*), where *n* is the number of storage keys in the entire store.
  package mutating func remove(_ key: FieldKey) -> Bool {
    guard let old = self[key] else { return false }
    count -= 1
    if !old.errors.isEmpty { errorCount -= 1 }
    root = root.flatMap { Self.removing(key, from: $0, shift: shift) }
    return true
  }

  /// Returns a node without one of its fields; `nil` if it had no other field.
  private static func removing(_ key: FieldKey, from node: Node, shift: Int) -> Node? {
    let digit = digit(of: key, at: shift)
    let position = node.position(of: digit)
    var digits = node.digits
    switch node.content {
    case .fields(var fields):
      fields.remove(at: position)
      digits &= ~(1 << digit)
      return fields.isEmpty ? nil : Node(digits, .fields(fields))
    case .nodes(var nodes):
      if let child = removing(key, from: nodes[position], shift: shift - digitSize) {
        nodes[position] = child
      } else {
        nodes.remove(at: position)
        digits &= ~(1 << digit)
      }
      return nodes.isEmpty ? nil : Node(digits, .nodes(nodes))
    }
  }

  // MARK: Iterating

  /// Calls the closure with every field, in key order.
  ///
  /// - Complexity: O(*n*).
  package func forEach(_ body: (Field) -> Void) {
    forEachDifference(from: FieldTree(), body)
  }

  /// Calls the closure with every field that is not shared with another tree, in key order: the
  /// fields that differ, and their neighbors in the same nodes.
  ///
  /// - Complexity: O(*m* log *n*), where *m* fields of the other tree were written to make this
  ///   one.
  package func forEachDifference(from other: FieldTree, _ body: (Field) -> Void) {
    guard let root else { return }
    // A tree with fewer digits corresponds to the subtree at digit 0 of a tree with more.
    var old = other.root
    for _ in stride(from: shift, to: other.shift, by: Self.digitSize) { old = old?.node(at: 0) }
    Self.visit(root, shift: shift, unlessIn: old, oldShift: min(shift, other.shift), body)
  }

  /// Visits the fields of `node` that `old` does not share.
  ///
  /// - Parameter oldShift: The shift of `old`; at most `shift`.
  private static func visit(
    _ node: Node, shift: Int, unlessIn old: Node?, oldShift: Int, _ body: (Field) -> Void
  ) {
    if let old, node === old { return }
    switch node.content {
    case .fields(let fields): for field in fields { body(field) }
    case .nodes(let nodes):
      var digits = node.digits
      for child in nodes {
        let digit = digits.trailingZeroBitCount
        digits &= digits - 1
        if shift > oldShift {
          visit(
            child, shift: shift - digitSize, unlessIn: digit == 0 ? old : nil, oldShift: oldShift,
            body)
        } else {
          visit(
            child, shift: shift - digitSize, unlessIn: old?.node(at: digit),
            oldShift: oldShift - digitSize, body)
        }
      }
    }
  }

  /// Returns up to `limit` fields in key order, starting at a key.
  ///
  /// - Complexity: O(*limit*).
  package func fields(from key: FieldKey, limit: Int) -> [Field] {
    var found: [Field] = []
    if let root, !isBeyond(key) {
      Self.collect(root, shift: shift, from: key, limit: limit, into: &found)
    }
    return found
  }

  /// Appends a node's fields to `found` until `found` has `limit` fields.
  ///
  /// - Parameter first: The least key to include; `nil` for all fields of the node.
  private static func collect(
    _ node: Node, shift: Int, from first: FieldKey?, limit: Int, into found: inout [Field]
  ) {
    let least = first.map { digit(of: $0, at: shift) } ?? 0
    let start = node.position(of: least)
    switch node.content {
    case .fields(let fields): found += fields[start...].prefix(limit - found.count)
    case .nodes(let nodes):
      for position in start..<nodes.count where found.count < limit {
        // Only the child at the first key's own digit can have smaller keys.
        let isFirst = position == start && node.contains(least)
        collect(
          nodes[position], shift: shift - digitSize, from: isFirst ? first : nil, limit: limit,
          into: &found)
      }
    }
  }
}

extension FieldTree: Equatable {
  /// Whether both have the same fields. Shared nodes are not compared.
  package static func == (left: FieldTree, right: FieldTree) -> Bool {
    guard left.count == right.count, left.errorCount == right.errorCount else { return false }
    var isSame = true
    left.forEachDifference(from: right) { field in
      if isSame, right[field.key] != field { isSame = false }
    }
    return isSame
  }
}
