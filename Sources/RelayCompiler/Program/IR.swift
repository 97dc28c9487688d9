import GraphQLLanguage

/// What the transforms work on: documents with every name looked up in the schema.
package enum IR {
  /// All definitions of one compilation.
  package struct Program: Sendable {
    package let schema: Schema
    /// In the order of the sources.
    package var operations: [Operation] = []
    /// In the order of the sources.
    package var fragments: [Fragment] = []

    package var symbols: SymbolTable { schema.symbols }
  }

  /// A query, mutation or subscription.
  package struct Operation: Sendable {
    package let definition: OperationDefinition
    /// Its name; anonymous operations are refused before.
    package let name: Name
    package let root: TypeID
    package var selections: [Selection]
  }

  /// A named fragment.
  package struct Fragment: Sendable {
    package let definition: FragmentDefinition
    package let type: TypeID
    package var selections: [Selection]

    package var name: Symbol { definition.name.symbol }
  }

  /// One element of a selection set.
  package struct Selection: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
      case field(Field)
      case spread(Spread)
      case condition(TypeCondition)
    }

    package var content: Content
    package var isThere: Guard = .always
    /// Whether only an opened fragment spread asks for it.
    package var isFromSpread = false
  }

  /// A field; `__typename` included.
  package struct Field: Hashable, Sendable {
    package let responseKey: Symbol
    package let name: Symbol
    package let arguments: [Argument]
    package let type: ResolvedType
    /// The directives that the server is sent, without `@include` and `@skip`.
    package var directives: [Directive] = []
    /// Empty for leaves.
    package var selections: [Selection]
  }

  /// An argument of a field.
  package struct Argument: Hashable, Sendable {
    package let name: Symbol
    package let value: Value

    package static func == (left: Argument, right: Argument) -> Bool { left.name == right.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  /// A fragment spread.
  package struct Spread: Hashable, Sendable {
    package let name: Symbol
  }

  /// `... on Type {…}`
  package struct TypeCondition: Hashable, Sendable {
    package let type: TypeID
    package var selections: [Selection]
  }
}

extension IR.Program {
  /// The fragments by name.
  package func fragmentsByName() -> [Symbol: IR.Fragment] {
    Dictionary(fragments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The program with other selections in every definition.
  package func map(_ transform: (_ root: TypeID, [IR.Selection]) -> [IR.Selection]) -> Self {
    var program = self
    for index in operations.indices {
      program.operations[index].selections = transform(
        operations[index].root, operations[index].selections)
    }
    for index in fragments.indices {
      program.fragments[index].selections = transform(
        fragments[index].type, fragments[index].selections)
    }
    return program
  }
}

extension IR.Field {
  /// `__typename`, under its own name or another response key.
  static func typename(in schema: Schema, responseKey: Symbol? = nil) -> IR.Field? {
    guard let type = schema.type(named: "String") else { return nil }
    return IR.Field(
      responseKey: responseKey ?? .typename, name: .typename, arguments: [],
      type: ResolvedType(type.id).nonNull, selections: [])
  }
}
