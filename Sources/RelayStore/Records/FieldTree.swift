/// The fields of a record that has many: a persistent radix tree over the numbers of their keys.
///
/// A write copies the nodes on the way to its field and shares all others with the tree before, so
/// it costs the same however many fields there are.
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

  /// A part of the tree: what stands below each of sixteen digits.
  fileprivate final class Node: Sendable {
    enum Content: Sendable {
      case nodes([Node])
      case fields([Field])
    }

    /// The digits that have something below them, as bits.
    let digits: UInt16
    /// In the order of the digits.
    let content: Content

    init(_ digits: UInt16, _ content: Content) {
      self.digits = digits
      self.content = content
    }

    static func leaf(_ field: Field, digit: Int) -> Node { Node(1 << digit, .fields([field])) }

    func contains(_ digit: Int) -> Bool { digits >> digit & 1 != 0 }

    /// The position of a digit's part, or where it would be inserted.
    func position(of digit: Int) -> Int { (digits & (1 << digit - 1)).nonzeroBitCount }

    func node(at digit: Int) -> Node? {
      guard contains(digit), case .nodes(let nodes) = content else { return nil }
      return nodes[position(of: digit)]
    }
  }

  /// The bits of a digit.
  private static let digitSize = 4

  private var root: Node?
  /// How far the first digit stands from the lowest bit.
  private var shift = 0
  package private(set) var count = 0
  /// The number of fields that have errors.
  package private(set) var errorCount = 0

  package init() {}

  /// - Parameter fields: In any order; of several with one key the last counts.
  package init(_ fields: some Sequence<Field>) {
    for field in fields { set(field) }
  }

  private static func digit(of key: FieldKey, _ shift: Int) -> Int {
    Int(key.rawValue >> UInt32(shift)) & 15
  }

  /// Whether a key is too large for the number of digits.
  private func isBeyond(_ key: FieldKey) -> Bool {
    UInt64(key.rawValue) >> UInt64(shift + Self.digitSize) != 0
  }

  /// - Complexity: O(log *n*) in all storage keys of the store.
  package subscript(key: FieldKey) -> Field? {
    guard !isBeyond(key), var node = root else { return nil }
    var shift = shift
    while true {
      let digit = Self.digit(of: key, shift)
      guard node.contains(digit) else { return nil }
      switch node.content {
      case .fields(let fields): return fields[node.position(of: digit)]
      case .nodes(let nodes): node = nodes[node.position(of: digit)]
      }
      shift -= Self.digitSize
    }
  }

  // MARK: Writing

  /// Writes a field.
  ///
  /// - Complexity: O(log *n*) in all storage keys of the store.
  package mutating func set(_ field: Field) {
    while isBeyond(field.key) {
      root = root.map { Node(1, .nodes([$0])) }
      shift += Self.digitSize
    }
    let old = self[field.key]
    if old == nil { count += 1 }
    errorCount += (field.errors.isEmpty ? 0 : 1) - (old?.errors.isEmpty == false ? 1 : 0)
    root = Self.setting(field, in: root, shift)
  }

  private static func setting(_ field: Field, in node: Node?, _ shift: Int) -> Node {
    let digit = digit(of: field.key, shift)
    let child = shift > 0 ? setting(field, in: node?.node(at: digit), shift - digitSize) : nil
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

  /// Takes a field away.
  ///
  /// - Returns: Whether there was one.
  /// - Complexity: O(log *n*) in all storage keys of the store.
  package mutating func remove(_ key: FieldKey) -> Bool {
    guard let old = self[key] else { return false }
    count -= 1
    if !old.errors.isEmpty { errorCount -= 1 }
    root = root.flatMap { Self.removing(key, from: $0, shift) }
    return true
  }

  /// A node without a field that it has; `nil` where that was all.
  private static func removing(_ key: FieldKey, from node: Node, _ shift: Int) -> Node? {
    let digit = digit(of: key, shift)
    let position = node.position(of: digit)
    var digits = node.digits
    switch node.content {
    case .fields(var fields):
      fields.remove(at: position)
      digits &= ~(1 << digit)
      return fields.isEmpty ? nil : Node(digits, .fields(fields))
    case .nodes(var nodes):
      if let child = removing(key, from: nodes[position], shift - digitSize) {
        nodes[position] = child
      } else {
        nodes.remove(at: position)
        digits &= ~(1 << digit)
      }
      return nodes.isEmpty ? nil : Node(digits, .nodes(nodes))
    }
  }

  // MARK: All fields

  /// Calls the closure with every field, in the order of the keys.
  ///
  /// - Complexity: O(*n*).
  package func forEach(_ body: (Field) -> Void) {
    forEachDifference(from: FieldTree(), body)
  }

  /// Calls the closure with every field that another tree does not share, in the order of the keys:
  /// those that differ, and some of their neighbours.
  ///
  /// - Complexity: O(*m* log *n*) where *m* fields of the other tree were written to make this one.
  package func forEachDifference(from other: FieldTree, _ body: (Field) -> Void) {
    guard let root else { return }
    // A tree with fewer digits stands below the digit 0 of one with more.
    var old = other.root
    for _ in stride(from: shift, to: other.shift, by: Self.digitSize) { old = old?.node(at: 0) }
    Self.visit(root, shift, old, min(shift, other.shift), body)
  }

  /// - Parameter oldShift: Where the other node stands; not above the first.
  private static func visit(
    _ node: Node, _ shift: Int, _ old: Node?, _ oldShift: Int, _ body: (Field) -> Void
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
          visit(child, shift - digitSize, digit == 0 ? old : nil, oldShift, body)
        } else {
          visit(child, shift - digitSize, old?.node(at: digit), oldShift - digitSize, body)
        }
      }
    }
  }

  /// The fields from a key on, in the order of the keys.
  ///
  /// - Complexity: O(*limit*).
  package func fields(from key: FieldKey, limit: Int) -> [Field] {
    var found: [Field] = []
    if let root, !isBeyond(key) { Self.collect(root, shift, key, limit, &found) }
    return found
  }

  /// - Parameter first: The least key wanted; `nil` where all of the node's are.
  private static func collect(
    _ node: Node, _ shift: Int, _ first: FieldKey?, _ limit: Int, _ found: inout [Field]
  ) {
    let least = first.map { digit(of: $0, shift) } ?? 0
    let start = node.position(of: least)
    switch node.content {
    case .fields(let fields): found += fields[start...].prefix(limit - found.count)
    case .nodes(let nodes):
      for position in start..<nodes.count where found.count < limit {
        // Only below the first key's own digit some are too small.
        let isFirst = position == start && node.contains(least)
        collect(nodes[position], shift - digitSize, isFirst ? first : nil, limit, &found)
      }
    }
  }
}

extension FieldTree: Equatable {
  /// Whether both have the same fields; what they share is not compared.
  package static func == (left: FieldTree, right: FieldTree) -> Bool {
    guard left.count == right.count, left.errorCount == right.errorCount else { return false }
    var isSame = true
    left.forEachDifference(from: right) { field in
      if isSame, right[field.key] != field { isSame = false }
    }
    return isSame
  }
}
