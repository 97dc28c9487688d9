@testable import RelayStore

/// A selection set of the model. The plans of the real store are also derived from it.
struct ModelSelection: Sendable {
  /// One selected field.
  struct Field: Sendable {
    indirect enum Kind: Sendable {
      case scalar(String)
      case object(ModelSelection)
      case list(ModelSelection)

      /// The selection set of the linked objects; `nil` for a scalar.
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
    /// The type condition around the field; `nil` if there is none.
    var onlyOn: String?
    /// Whether the field is client-only and written only by updaters.
    var isClient = false
    /// Whether the field has `@required(action: NONE)`.
    var isRequired = false
    /// Whether the field has `@catch(to: NULL)`.
    var isCaught = false

    var storageKey: String { name + arguments }
  }

  var typeName: String
  /// The possible types of an object; more than one make the selection set abstract.
  var possibleTypes: [String] = []
  var fields: [Field]

  /// Adds every field that the selection set selects from a record and from the records it links
  /// to, regardless of their types.
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

  /// Returns the notation of the plan, for reading, or for writing and checking availability.
  func plan(reads: Bool) -> String {
    let fields = fields.filter { reads || !$0.isClient }
    let common = fields.filter { $0.onlyOn == nil }.map { $0.plan(reads: reads) }
    let conditions = possibleTypes.compactMap { type -> String? in
      let own = fields.filter { $0.onlyOn == type }.map { $0.plan(reads: reads) }
      return own.isEmpty ? nil : "...on \(type){\(own.joined(separator: " "))}"
    }
    let typename = isAbstract ? ["__typename String!"] : []
    let all = (typename + common + conditions).joined(separator: " ")
    return "\(isAbstract ? "*" : "")\(typeName){\(all)}"
  }
}

extension ModelSelection.Field {
  fileprivate func plan(reads: Bool) -> String {
    let name = (reads && isClient ? "?" : "") + storageKey
    let action = reads ? (isRequired ? "~none" : "") + (isCaught ? "~null" : "") : ""
    let end = (isNullable ? "" : "!") + action
    switch kind {
    case .scalar(let type): return "\(name) \(type)\(end)"
    case .object(let object): return "\(name) \(object.plan(reads: reads))\(end)"
    case .list(let element):
      let mark = hasNullableElements ? "" : "!"
      return "\(name) [\(element.plan(reads: reads))\(mark)]\(end)"
    }
  }
}

/// A selection set of the tests, with its plans for the store.
struct PlannedSelection: Sendable {
  let selection: ModelSelection
  /// The plan for reading.
  let plan: SelectionPlan
  /// The plan for writing responses and checking availability.
  let stored: SelectionPlan
  /// An operation with both plans.
  let operation: OperationPlan

  init(_ selection: ModelSelection) {
    self.selection = selection
    plan = Self.plan(selection.plan(reads: true))
    stored = Self.plan(selection.plan(reads: false))
    operation = OperationPlan(name: "", reader: plan, normalization: stored)
  }

  private static func plan(_ text: String) -> SelectionPlan {
    guard let plan = SelectionPlan(stored: Array(text.utf8)) else {
      preconditionFailure("The text is not a plan: \(text)")
    }
    return plan
  }
}

/// The selection sets of the tests.
enum TestSelections {
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
      Field(name: "draft", kind: .scalar("String"), isClient: true),
    ])
  /// Objects that become null along with one of their fields.
  private static let owned = ModelSelection(
    typeName: "Item",
    fields: [
      Field(name: "id", kind: .scalar("ID"), isNullable: false),
      Field(name: "owner", kind: .object(leaf), isNullable: false),
      Field(name: "friends", kind: .list(leaf), hasNullableElements: true, isCaught: true),
    ])
  private static let strict = ModelSelection(
    typeName: "Item",
    fields: [
      Field(name: "id", kind: .scalar("ID"), isNullable: false),
      Field(name: "owner", kind: .object(leaf), isRequired: true),
      Field(name: "score", kind: .scalar("Int"), isRequired: true),
    ])
  private static let thing = ModelSelection(
    typeName: "Thing", possibleTypes: ["Item", "Other"],
    fields: [
      Field(name: "id", kind: .scalar("ID"), isNullable: false),
      Field(name: "name", kind: .scalar("String"), onlyOn: "Item"),
      Field(name: "title", kind: .scalar("String"), onlyOn: "Other"),
    ])

  /// The selection sets of complete operations, read from the root.
  static let operations: [PlannedSelection] = [
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
    ModelSelection(
      typeName: "Query",
      fields: [
        Field(name: "items", kind: .list(owned), isNullable: false),
        Field(name: "theme", kind: .scalar("String"), isClient: true),
        Field(name: "featured", arguments: #"(kind:"A")"#, kind: .object(strict), isCaught: true),
      ]),
    ModelSelection(
      typeName: "Query",
      fields: [
        Field(
          name: "featured", arguments: #"(kind:"A")"#, kind: .object(strict), isRequired: true)
      ]),
  ].map(PlannedSelection.init)

  /// The selection sets of fragments, read from any record.
  static let fragments: [PlannedSelection] = [leaf, item, thing, owned].map(PlannedSelection.init)
}
