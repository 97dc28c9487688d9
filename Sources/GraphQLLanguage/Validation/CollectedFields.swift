/// A field with the type it is selected on.
struct CollectedField {
  let parent: NamedType?
  let field: Field
  let definition: SchemaField?
}

/// The fields of a selection set and of the inline fragments in it, grouped by key, and the fragments it spreads.
final class CollectedFields {
  struct Group {
    let key: Symbol
    var fields: [CollectedField]
  }

  /// Groups longer than this leave out fields that are the same as one they have.
  private static let wholeGroupLimit = 32

  let id: Int
  private(set) var groups: [Group] = []
  /// The positions of the fragments, each once, in the order written.
  private(set) var fragments: [Int] = []
  private var isSpread: Set<Int> = []
  private var positions: [Symbol: Int] = [:]

  init(id: Int) { self.id = id }

  /// The fields of a key.
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

/// The collected fields of each selection set, collected once.
struct CollectedFieldsCache {
  /// Identifies a selection set by where its selections are in memory; the documents keep them there.
  private struct Key: Hashable {
    let selections: UnsafeRawPointer?
    let parent: TypeID?
  }

  private let context: ValidationContext
  private var sets: [Key: CollectedFields] = [:]
  /// By fragment.
  private var ofFragments: [CollectedFields?]

  init(context: ValidationContext) {
    self.context = context
    ofFragments = Array(repeating: nil, count: context.fragments.count)
  }

  /// The fields of a selection set on a type.
  mutating func fields(of selectionSet: SelectionSet, on parent: NamedType?) -> CollectedFields {
    let address = selectionSet.selections.withUnsafeBytes { $0.baseAddress }
    let key = Key(selections: address, parent: parent?.id)
    if let known = sets[key] { return known }
    let set = CollectedFields(id: sets.count)
    sets[key] = set
    collect(selectionSet, on: parent, into: set)
    return set
  }

  /// The fields of a fragment, by its position among the fragments of the documents.
  mutating func fields(ofFragment position: Int) -> CollectedFields {
    if let known = ofFragments[position] { return known }
    let fragment = context.fragments[position].definition
    let set = fields(
      of: fragment.selectionSet, on: context.schema.type(named: fragment.typeCondition.symbol))
    ofFragments[position] = set
    return set
  }

  private func collect(
    _ selectionSet: SelectionSet, on parent: NamedType?, into set: CollectedFields
  ) {
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field):
        set.add(
          CollectedField(
            parent: parent, field: field, definition: parent?.fields[named: field.name.symbol]))
      case .fragmentSpread(let spread):
        guard let position = context.fragmentPosition(spread.name.symbol) else { continue }
        set.add(fragment: position)
      case .inlineFragment(let fragment):
        let type = fragment.typeCondition.map { context.schema.type(named: $0.symbol) } ?? parent
        collect(fragment.selectionSet, on: type, into: set)
      }
    }
  }
}

/// Pairs that have been compared; a pair compared without assuming that the fields exclude each other need not be compared again
/// with that.
struct ComparedPairs {
  private var isExclusive: [UInt64: Bool] = [:]

  /// Notes a pair; false when it was compared before.
  mutating func insert(_ left: Int, _ right: Int, areExclusive: Bool) -> Bool {
    let key =
      UInt64(UInt32(truncatingIfNeeded: left)) << 32 | UInt64(UInt32(truncatingIfNeeded: right))
    if let known = isExclusive[key], areExclusive || !known { return false }
    isExclusive[key] = areExclusive
    return true
  }
}

extension [Argument] {
  /// True when both have the same values for the same names, in any order.
  func isSame(as other: [Argument]) -> Bool {
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
  /// True when both are written alike, but for the order of fields and the form of strings.
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
