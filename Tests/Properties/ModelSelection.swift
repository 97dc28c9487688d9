@testable import RelayStore

/// What the model reads and writes: the same selections as plans, said once and turned into either.
struct ModelSelection: Sendable {
  /// One selected field.
  struct Field: Sendable {
    indirect enum Kind: Sendable {
      case scalar(String)
      case object(ModelSelection)
      case list(ModelSelection)

      /// What is selected from the objects; `nil` for a scalar.
      var selection: ModelSelection? {
        switch self {
        case .scalar: nil
        case .object(let selection), .list(let selection): selection
        }
      }
    }

    var name: String
    var arguments = ""
    var kind: Kind
    var isNullable = true
    /// Whether the elements of a list may be null.
    var hasNullableElements = false
    /// The only type that has it, for fields inside a type condition.
    var onlyOn: String?

    var storageKey: String { name + arguments }
  }

  var typeName: String
  /// The types an object may have; more than one make the selection abstract.
  var possibleTypes: [String] = []
  var fields: [Field]

  /// Adds every field that is selected from a record and those it leads to, whatever their types.
  func select(_ id: String, in records: Model.Records, _ selected: inout Set<ModelField>) {
    for field in fields {
      selected.insert(ModelField(id: id, key: field.storageKey))
      guard let below = field.kind.selection else { continue }
      switch (records[id] ?? nil)?.fields[field.storageKey] {
      case .link(let id): below.select(id, in: records, &selected)
      case .links(let ids): for case let id? in ids { below.select(id, in: records, &selected) }
      default: break
      }
    }
  }

  var isAbstract: Bool { possibleTypes.count > 1 }
  var hasID: Bool { fields.contains { $0.name == "id" } }

  /// The selection as a plan.
  var plan: String {
    let common = fields.filter { $0.onlyOn == nil }.map(\.plan)
    let conditions = possibleTypes.compactMap { type -> String? in
      let own = fields.filter { $0.onlyOn == type }.map(\.plan)
      return own.isEmpty ? nil : "...on \(type){\(own.joined(separator: " "))}"
    }
    let typename = isAbstract ? ["__typename String!"] : []
    let all = (typename + common + conditions).joined(separator: " ")
    return "\(isAbstract ? "*" : "")\(typeName){\(all)}"
  }
}

extension ModelSelection.Field {
  fileprivate var plan: String {
    let end = isNullable ? "" : "!"
    switch kind {
    case .scalar(let type): return "\(storageKey) \(type)\(end)"
    case .object(let object): return "\(storageKey) \(object.plan)\(end)"
    case .list(let element):
      return "\(storageKey) [\(element.plan)\(hasNullableElements ? "" : "!")]\(end)"
    }
  }
}

/// One of the selections the tests use, with what the store reads it by.
struct Shape: Sendable {
  let selection: ModelSelection
  let plan: Plan

  init(_ selection: ModelSelection) {
    self.selection = selection
    var decoder = PlanDecoder(
      bytes: Array(selection.plan.utf8), types: nil, scalars: [:], inlined: [:])
    let decoded = decoder.plan()
    plan = Plan(
      typeName: decoded?.typeName ?? "", isAbstract: decoded?.isAbstract ?? false,
      slots: decoded?.slots ?? [], types: nil)
  }
}

/// The selections.
enum Shapes {
  private typealias Field = ModelSelection.Field

  private static let leaf = ModelSelection(
    typeName: "Item",
    fields: [
      Field(name: "id", kind: .scalar("ID"), isNullable: false),
      Field(name: "name", kind: .scalar("String"), isNullable: false),
      Field(name: "score", kind: .scalar("Int")),
    ])
  private static let box = ModelSelection(
    typeName: "Box",
    fields: [
      Field(name: "label", kind: .scalar("String")),
      Field(name: "item", arguments: "(first:1)", kind: .object(leaf)),
    ])
  private static let item = ModelSelection(
    typeName: "Item",
    fields: leaf.fields + [
      Field(name: "owner", kind: .object(leaf)),
      Field(name: "friends", kind: .list(leaf), hasNullableElements: true),
      Field(name: "box", kind: .object(box)),
      Field(name: "nick", arguments: "(n:1)", kind: .scalar("String")),
    ])
  private static let thing = ModelSelection(
    typeName: "Thing", possibleTypes: ["Item", "Other"],
    fields: [
      Field(name: "id", kind: .scalar("ID"), isNullable: false),
      Field(name: "name", kind: .scalar("String"), onlyOn: "Item"),
      Field(name: "title", kind: .scalar("String"), onlyOn: "Other"),
    ])

  /// Those of whole operations, read from the root.
  static let operations: [Shape] = [
    ModelSelection(
      typeName: "Query",
      fields: [
        Field(name: "items", kind: .list(item), isNullable: false),
        Field(name: "box", kind: .object(box)),
      ]),
    ModelSelection(
      typeName: "Query",
      fields: [
        Field(name: "featured", arguments: #"(kind:"A")"#, kind: .object(item)),
        Field(name: "things", kind: .list(thing), hasNullableElements: true),
      ]),
    ModelSelection(
      typeName: "Query",
      fields: [Field(name: "items", kind: .list(leaf), isNullable: false)]),
  ].map(Shape.init)

  /// Those of fragments, read from any record.
  static let fragments: [Shape] = [leaf, item, thing].map(Shape.init)
}
