import GraphQLLanguage

/// What the transforms work on: documents with every name looked up in the schema.
package enum IR {
  /// All definitions of one compilation.
  package struct Program: Sendable {
    package let schema: Schema
    /// The types that only the client knows.
    package var clientTypes: Set<TypeID> = []
    /// What tells objects apart that have no `id`, or are not known by it.
    package var keyFields = KeyFields()
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
    /// Whether it is for updaters and never sent.
    package var isUpdatable = false
    /// What it does when fields of it fail.
    package var handling: ErrorHandling?
    /// The variables that providers fill.
    package var provided: [ProvidedVariable] = []
    package var selections: [Selection]
  }

  /// A named fragment.
  package struct Fragment: Sendable {
    package let definition: FragmentDefinition
    /// Its name; in what is sent, one made for the arguments it is spread with.
    package var name: Symbol
    package let type: TypeID
    /// Whether spreads of it are its struct itself and no reference.
    package var isInline = false
    /// Whether updaters can write what it selects.
    package var isUpdatable = false
    /// The variables that are its own.
    package var locals: [Local] = []
    /// What it does when fields of it fail.
    package var handling: ErrorHandling?
    /// The variables that providers fill, here and in the fragments below.
    package var provided: [ProvidedVariable] = []
    package var selections: [Selection]
  }

  /// A variable of one fragment, declared with `@argumentDefinitions`.
  package struct Local: Sendable {
    package let name: Symbol
    package let defaultValue: Value?
    /// What it becomes where it has a provider.
    package var provided: ProvidedVariable?
    /// Where it is declared.
    package var place: Span = .none
  }

  /// One element of a selection set; three words, so that passes copy it cheaply.
  package struct Selection: Sendable {
    package enum Content: Sendable {
      case field(Field)
      indirect case spread(Spread)
      indirect case condition(TypeCondition)
    }

    package var content: Content
    package var isThere: Guard = .always
    /// Whether only an opened fragment spread asks for it.
    package var isFromSpread = false
  }

  /// An argument of a field, a spread or a handle.
  package struct Argument: Hashable, Sendable {
    package let name: Symbol
    package let value: Value
  }

  /// A fragment spread.
  package struct Spread: Sendable {
    package var name: Symbol
    /// What the fragment's own variables are, sorted by name; a variable that is not here is absent.
    package var arguments: [Argument] = []
    /// The arguments as text, which makes spreads one or two.
    package var argumentsText = ""
    /// What `@alias` calls it.
    package var alias: Symbol?
    /// Whether it is a reference, and its fields are not those of what it stands in.
    package var isMasked = true
    /// What `@defer` says of it.
    package var deferral: Deferral?
  }

  /// `... on Type {…}`
  package struct TypeCondition: Sendable {
    package let type: TypeID
    /// What `@alias` calls it.
    package var alias: Symbol?
    package var selections: [Selection]
  }
}

extension IR.Program {
  /// The fragments by name.
  package func fragmentsByName() -> [Symbol: IR.Fragment] {
    Dictionary(fragments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The program without the operations that are never sent.
  var withoutUpdatables: Self {
    guard operations.contains(where: \.isUpdatable) else { return self }
    var program = self
    program.operations.removeAll(where: \.isUpdatable)
    return program
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
