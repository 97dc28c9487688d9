import Foundation
import GraphQLLanguage

/// How likely a question is about an element, before it is read: fields of objects to which many
/// fields lead come before the types that Relay's conventions add.
struct ElementImportance {
  /// The number of fields that return a type.
  private(set) var uses: [TypeID: Int] = [:]
  /// The types that fields outside of the mutation type return.
  private var readable: Set<TypeID> = []

  init(_ schema: Schema) {
    for type in schema.types {
      for field in type.fields {
        let id = schema[field.type.named].id
        uses[id, default: 0] += 1
        if type !== schema.mutationType { readable.insert(id) }
      }
    }
  }

  /// Returns the factor of an element's score.
  func factor(of item: ElementSearch.Item, in schema: Schema) -> Float {
    let owner = item.owner.isEmpty ? item.type : schema.type(named: String(item.owner))
    let isDeprecated = item.entry.directives.contains { $0.name.symbol == .deprecated }
    return (isDeprecated ? 0.6 : 1) * (owner.map { factor(of: $0, in: schema) } ?? 0.8)
  }

  private func factor(of type: NamedType, in schema: Schema) -> Float {
    let isRoot = [schema.queryType, schema.mutationType].contains { $0 === type }
    if isRoot { return 1.15 }
    switch type.kind {
    case .inputObject: return 0.7
    case .enum, .scalar: return 0.8
    case .object, .interface, .union: break
    }
    if isConnectionOrEdge(type, schema.symbols) { return 0.6 }
    if uses[type.id] != nil, !readable.contains(type.id) { return 0.6 }
    return 1 + 0.03 * Float(log2(Double(1 + (uses[type.id] ?? 0))))
  }

  private func isConnectionOrEdge(_ type: NamedType, _ symbols: SymbolTable) -> Bool {
    [["edges", "pageInfo"], ["node", "cursor"]].contains { names in
      names.allSatisfy { name in symbols.find(name).map { type.fields[named: $0] != nil } ?? false }
    }
  }
}
