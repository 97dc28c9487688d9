import GraphQLLanguage

/// The labels in a definition with unmasked fragments. The parts of these fragments become parts of
/// the definition, because that is what is read.
///
/// A fragment can be unmasked several times. Its parts are numbered, except where they are the same
/// part of one object.
struct UnmaskedLabels {
  /// The label of a part without an addition, and its selection.
  private struct Key: Hashable {
    let label: PartLabel
    let selection: SelectionKey
    let path: [Symbol]
  }

  private let schema: Schema
  private let owner: String
  private var labels: [Key: [(object: Relabel.Object, label: PartLabel)]] = [:]
  private var taken: Set<PartLabel> = []
  /// The last number used for each label without an addition.
  private var numbers: [PartLabel: Int] = [:]

  /// Returns the selections of a definition, preserving the labels of its own parts and replacing
  /// those of its unmasked fragments.
  static func apply(
    to selections: [IR.Selection], of owner: String, on type: TypeID, schema: Schema,
    relabel: Relabel
  ) -> [IR.Selection] {
    let root = Relabel.Object(type: type)
    var pass = UnmaskedLabels(schema: schema, owner: owner)
    _ = relabel.selections(selections, of: root) { part in
      if part.label.owner == owner { pass.keep(part) }
      return part.label
    }
    return relabel.selections(selections, of: root) { part in
      part.label.owner == owner ? part.label : pass.label(of: part)
    }
  }

  private mutating func keep(_ part: Relabel.Part) {
    if taken.insert(part.label).inserted {
      labels[key(of: part), default: []].append((part.object, part.label))
    }
  }

  /// Returns the label for a part of an unmasked fragment. The same part of the same object shares
  /// its label; any other part gets a new one.
  private mutating func label(of part: Relabel.Part) -> PartLabel {
    let key = key(of: part)
    if let same = labels[key]?.first(where: { isSame(part, in: $0.object) }) { return same.label }
    var label = key.label
    while !taken.insert(label).inserted {
      let number = numbers[key.label, default: 1] + 1
      numbers[key.label] = number
      label.addition = ".\(number)"
    }
    labels[key, default: []].append((part.object, label))
    return label
  }

  private func key(of part: Relabel.Part) -> Key {
    let label = PartLabel(owner: owner, kind: part.label.kind, name: part.label.name)
    return Key(label: label, selection: part.selection, path: part.object.path)
  }

  /// Returns whether `part` is merged with a part of `object`, which has the same path. Lists that
  /// may be one list of one object count as merged, because that list cannot be streamed twice.
  private func isSame(_ part: Relabel.Part, in object: Relabel.Object) -> Bool {
    part.label.kind == "stream"
      ? part.object.overlaps(object, in: schema) : part.object == object
  }
}
