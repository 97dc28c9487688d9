import Foundation
import GraphQLLanguage

/// How likely a question is about an element, before it is read: fields of objects to which many
/// fields lead come before the types that Relay's conventions add.
struct ElementImportance {
  /// The number of fields that return a type.
  private(set) var uses: [TypeID: Int] = [:]
  /// The types that fields outside of the mutation type return.
  private var readable: Set<TypeID> = []
  /// The types of the mutations' arguments, and the types of their fields.
  private var changing: Set<TypeID> = []

  init(_ schema: Schema) {
    for type in schema.types {
      for field in type.fields {
        let id = schema[field.type.named].id
        uses[id, default: 0] += 1
        if type !== schema.mutationType { readable.insert(id) }
      }
    }
    for type in schema.types where type.kind == .interface {
      let most = schema.possibleTypes(of: type).compactMap { uses[$0] }.max() ?? 0
      uses[type.id] = max(uses[type.id] ?? 0, most)
    }
    var waiting = schema.mutationType?.fields.flatMap { $0.arguments.elements } ?? []
    while let value = waiting.popLast() {
      let type = schema[value.type.named]
      if changing.insert(type.id).inserted { waiting += type.inputFields.elements }
    }
  }

  /// The factors of an element's score.
  struct Factors {
    let reading: Float
    /// The factor where the question asks for a change.
    let changing: Float
  }

  /// Returns the factors of an element's score.
  func factors(of item: ElementSearch.Item, in schema: Schema) -> Factors {
    let owner = item.owner.isEmpty ? item.type : schema.type(named: String(item.owner))
    let isDeprecated = item.entry.directives.contains { $0.name.symbol == .deprecated }
    var reading = owner.map { factor(of: $0, in: schema) } ?? 0.8
    if let owner, isConventional(item, of: owner, schema.symbols) { reading = 0.6 }
    if isDeprecated { reading *= 0.6 }
    guard let owner else { return Factors(reading: reading, changing: reading) }
    let isMutation = owner === schema.mutationType
    return Factors(
      reading: reading,
      changing: reading * (isMutation || changing.contains(owner.id) ? 1.6 : 0.85))
  }

  private func factor(of type: NamedType, in schema: Schema) -> Float {
    if type === schema.queryType { return 1.15 }
    if type === schema.mutationType { return 1 }
    switch type.kind {
    case .inputObject: return 0.7
    case .enum, .scalar: return 0.8
    case .object, .interface, .union: break
    }
    if uses[type.id] != nil, !readable.contains(type.id) { return 0.6 }
    return 1 + 0.05 * Float(log2(Double(1 + (uses[type.id] ?? 0))))
  }

  /// Whether an element is only there by Relay's conventions: a connection with its fields, or an
  /// edge with its node and cursor. Other fields of an edge say something about the connection.
  private func isConventional(
    _ item: ElementSearch.Item, of owner: NamedType, _ symbols: SymbolTable
  ) -> Bool {
    func hasFields(_ names: [String]) -> Bool {
      names.allSatisfy { name in symbols.find(name).map { owner.fields[named: $0] != nil } ?? false
      }
    }
    if hasFields(["edges", "pageInfo"]) { return true }
    let isOwn = !item.owner.isEmpty && item.name != "node" && item.name != "cursor"
    return hasFields(["node", "cursor"]) && !isOwn
  }
}
