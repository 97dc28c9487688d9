/// A field with its parent type and its definition.
struct CollectedField {
  let parent: NamedType?
  let field: Field
  let definition: SchemaField?
  /// The index of the enclosing fragment; `nil` inside an operation.
  let owner: Int?
}

/// The fields of a selection set and its inline fragments, grouped by response key, plus the
/// fragments that it spreads.
final class CollectedFields {
  struct Group {
    let key: Symbol
    var fields: [CollectedField]
  }

  /// The size at which a group starts to drop new leaf fields that equal one of its last fields;
  /// also the number of last fields compared. It bounds the comparisons of repeated fields.
  private static let wholeGroupLimit = 32

  let id: Int
  private(set) var groups: [Group] = []
  /// The indices of the spread fragments, without duplicates, in source order.
  private(set) var fragments: [Int] = []
  private var isSpread: Set<Int> = []
  private var positions: [Symbol: Int] = [:]

  init(id: Int) { self.id = id }

  /// Returns the fields for a response key.
  func fields(of key: Symbol) -> [CollectedField]? {
    position(of: key).map { groups[$0].fields }
  }

  private func position(of key: Symbol) -> Int? {
    positions.isEmpty ? groups.firstIndex { $0.key == key } : positions[key]
  }

  fileprivate func add(_ field: CollectedField) {
    let key = field.field.responseKey
    guard let position = position(of: key) else {
      groups.append(Group(key: key, fields: [field]))
      // From nine groups on, a dictionary replaces the linear search.
      if groups.count == 9 {
        for (position, group) in groups.enumerated() { positions[group.key] = position }
      } else if groups.count > 9 {
        positions[key] = groups.count - 1
      }
      return
    }
    if groups[position].fields.count >= Self.wholeGroupLimit, field.field.selectionSet == nil,
      groups[position].fields.suffix(Self.wholeGroupLimit).contains(where: { isSame($0, field) })
    {
      return
    }
    groups[position].fields.append(field)
  }

  private func isSame(_ left: CollectedField, _ right: CollectedField) -> Bool {
    left.parent === right.parent && left.field.name.symbol == right.field.name.symbol
      && left.field.selectionSet == nil && left.field.arguments.isSame(as: right.field.arguments)
  }

  fileprivate func add(fragment: Int) {
    if isSpread.insert(fragment).inserted { fragments.append(fragment) }
  }
}

/// A cache of collected fields by selection set.
struct CollectedFieldsCache {
  /// The identity of a selection set on a type. The memory address of the selections identifies the
  /// selection set. Addresses are unique because the documents outlive the cache and are not
  /// mutated.
  private struct Key: Hashable {
    let selections: UnsafeRawPointer?
    let parent: TypeID?
  }

  private let context: ValidationContext
  private var sets: [Key: CollectedFields] = [:]
  /// The collected fields of fragments, by fragment index.
  private var ofFragments: [CollectedFields?]

  init(context: ValidationContext) {
    self.context = context
    ofFragments = Array(repeating: nil, count: context.fragments.count)
  }

  /// Returns the fields of a selection set on a type.
  ///
  /// - Parameter owner: The index of the enclosing fragment; `nil` inside an operation.
  mutating func fields(of selectionSet: SelectionSet, on parent: NamedType?, in owner: Int?)
    -> CollectedFields
  {
    let address = selectionSet.selections.withUnsafeBytes { $0.baseAddress }
    let key = Key(selections: address, parent: parent?.id)
    if let set = sets[key] { return set }
    let set = CollectedFields(id: sets.count)
    sets[key] = set
    collect(selectionSet, on: parent, in: owner, into: set)
    return set
  }

  /// Returns the fields in a field's selection set.
  mutating func fields(of selectionSet: SelectionSet, below field: CollectedField)
    -> CollectedFields
  {
    fields(
      of: selectionSet, on: field.definition.map { context.schema[$0.type.named] },
      in: field.owner)
  }

  /// Returns the fields of a fragment.
  ///
  /// - Parameter position: The fragment's index in ``ValidationContext/fragments``.
  mutating func fields(ofFragment position: Int) -> CollectedFields {
    if let set = ofFragments[position] { return set }
    let fragment = context.fragments[position].definition
    let set = fields(
      of: fragment.selectionSet, on: context.schema.type(named: fragment.typeCondition.symbol),
      in: position)
    ofFragments[position] = set
    return set
  }

  private func collect(
    _ selectionSet: SelectionSet, on parent: NamedType?, in owner: Int?,
    into set: CollectedFields
  ) {
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field):
        set.add(
          CollectedField(
            parent: parent, field: field, definition: parent?.fields[named: field.name.symbol],
            owner: owner))
      case .fragmentSpread(let spread):
        guard let position = context.fragmentPosition(spread.name.symbol) else { continue }
        set.add(fragment: position)
      case .inlineFragment(let fragment):
        let type = fragment.typeCondition.map { context.schema.type(named: $0.symbol) } ?? parent
        collect(fragment.selectionSet, on: type, in: owner, into: set)
      }
    }
  }
}

/// The pairs already compared. A comparison of a pair as not exclusive also covers the pair as
/// exclusive.
struct ComparedPairs {
  private var isExclusive: [UInt64: Bool] = [:]

  /// Inserts a pair.
  ///
  /// - Returns: Whether the pair must be compared; `false` when an earlier comparison covers it.
  mutating func insert(_ left: Int, _ right: Int, areExclusive: Bool) -> Bool {
    let key =
      UInt64(UInt32(truncatingIfNeeded: left)) << 32 | UInt64(UInt32(truncatingIfNeeded: right))
    if let wereExclusive = isExclusive[key], areExclusive || !wereExclusive { return false }
    isExclusive[key] = areExclusive
    return true
  }
}

extension [Argument] {
  /// Returns whether both lists have the same values for the same names, in any order.
  package func isSame(as other: [Argument]) -> Bool {
    guard count == other.count else { return false }
    return enumerated().allSatisfy { position, argument in
      let match =
        other[position].name.symbol == argument.name.symbol
        ? other[position] : other.first { $0.name.symbol == argument.name.symbol }
      return match.map { argument.value.isSame(as: $0.value) } ?? false
    }
  }
}

extension Value {
  /// Returns whether both values are the same literal, regardless of field order and string
  /// notation.
  package func isSame(as other: Value) -> Bool {
    switch (kind, other.kind) {
    case (.list(let items), .list(let others)):
      return items.count == others.count && zip(items, others).allSatisfy { $0.isSame(as: $1) }
    case (.object(let fields), .object(let others)):
      guard fields.count == others.count else { return false }
      return fields.enumerated().allSatisfy { position, field in
        let match =
          others[position].name.symbol == field.name.symbol
          ? others[position] : others.first { $0.name.symbol == field.name.symbol }
        return match.map { field.value.isSame(as: $0.value) } ?? false
      }
    case (.string(let text, _), .string(let other, _)): return text == other
    default: return kind == other.kind
    }
  }
}
