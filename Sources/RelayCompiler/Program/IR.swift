import GraphQLLanguage

/// The intermediate representation used by transforms: documents with every name resolved against
/// the schema.
package enum IR {
  /// All definitions of one compilation.
  package struct Program: Sendable {
    package let schema: Schema
    /// The types defined by client extensions. They do not exist on the server.
    var clientTypes: Set<TypeID> = []
    /// The fields that identify objects instead of `id`.
    package var keyFields = KeyFields()
    /// The schema elements whose values are never persisted.
    var privateDefinitions = PrivateDefinitions()
    /// The freshness periods of data.
    package var maxAges = MaxAgeLimits()
    /// The operations, in source order.
    package var operations: [Operation] = []
    /// The fragments, in source order.
    package var fragments: [Fragment] = []

    /// Creates a program without definitions.
    package init(schema: Schema) { self.schema = schema }

    package var symbols: SymbolTable { schema.symbols }
  }

  /// A query, mutation or subscription.
  package struct Operation: Sendable {
    package let definition: OperationDefinition
    /// The operation's name; validation rejects anonymous operations before lowering.
    package let name: Name
    package let root: TypeID
    /// Whether the operation is `@updatable`: it serves updaters and is never sent.
    var isUpdatable = false
    /// The definition's error handling, if its directives declare any.
    package var handling: ErrorHandling?
    /// The variables whose values come from providers.
    package var provided: [ProvidedVariable] = []
    package var selections: [Selection]
  }

  /// A named fragment.
  package struct Fragment: Sendable {
    package let definition: FragmentDefinition
    /// The fragment's name. A copy made for a spread's arguments has a different name.
    package var name: Symbol
    package let type: TypeID
    /// Whether the fragment is `@inline`: its spreads are read as its struct, not as a reference.
    package var isInline = false
    /// Whether the fragment is `@updatable`: updaters can write the fields it selects.
    var isUpdatable = false
    /// The fragment variables.
    package var fragmentVariables: [FragmentVariable] = []
    /// The definition's error handling, if its directives declare any.
    package var handling: ErrorHandling?
    /// The variables whose values come from providers, in this fragment and all fragments reachable
    /// from it.
    package var provided: [ProvidedVariable] = []
    package var selections: [Selection]
  }

  /// A fragment variable, declared with `@argumentDefinitions`.
  package struct FragmentVariable: Sendable {
    package let name: Symbol
    package let defaultValue: Value?
    /// The operation variable that replaces it, if it has a provider.
    package var provided: ProvidedVariable?
    /// The span of its declaration.
    package var span: Span = .none
  }

  /// An element of a selection set. It is three words in size, so passes can copy it cheaply.
  package struct Selection: Sendable {
    package enum Content: Sendable {
      case field(Field)
      indirect case spread(Spread)
      indirect case inlineFragment(InlineFragment)
    }

    package var content: Content
    package var condition: Guard = .always
    /// Whether the selection was added by expanding spreads or by ``AddPageInfo``, rather than
    /// selected in the definition itself.
    var isImplicit = false
  }

  /// An argument of a field, a spread or a handle.
  package struct Argument: Hashable, Sendable {
    package let name: Symbol
    package let value: Value
  }

  /// A fragment spread.
  package struct Spread: Sendable {
    package var name: Symbol
    /// The values of the fragment variables, sorted by name. A variable without a value is omitted.
    package var arguments: [Argument] = []
    /// The arguments as a string. Spreads of the same fragment are equal if these strings and their
    /// aliases are.
    var argumentsText = ""
    /// The name that `@alias` gives the spread.
    package var alias: Symbol?
    /// Whether the spread is read as a fragment reference, which hides its fields from the
    /// enclosing type.
    package var isMasked = true
    /// The `@defer` on the spread.
    package var deferral: Deferral?
  }

  /// An inline fragment: `... on Type {…}`.
  package struct InlineFragment: Sendable {
    package let type: TypeID
    /// The name that `@alias` gives the inline fragment.
    package var alias: Symbol?
    package var selections: [Selection]
  }
}

extension IR.Program {
  /// Indexes the fragments by name.
  func fragmentsByName() -> [Symbol: IR.Fragment] {
    Dictionary(fragments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Indexes the operations by name.
  func operationsByName() -> [Symbol: IR.Operation] {
    Dictionary(operations.map { ($0.name.symbol, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The program without its `@updatable` operations, which are never sent.
  var withoutUpdatables: Self {
    guard operations.contains(where: \.isUpdatable) else { return self }
    var program = self
    program.operations.removeAll(where: \.isUpdatable)
    return program
  }

  /// Returns the program with every definition's selections transformed.
  @inline(never)
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

extension IR.Selection {
  init(_ field: IR.Field, condition: Guard = .always, isImplicit: Bool = false) {
    self.init(content: .field(field), condition: condition, isImplicit: isImplicit)
  }

  init(on type: TypeID, _ selections: [IR.Selection]) {
    self.init(content: .inlineFragment(IR.InlineFragment(type: type, selections: selections)))
  }
}

extension IR.Argument {
  init(_ argument: GraphQLLanguage.Argument) {
    self.init(name: argument.name.symbol, value: argument.value)
  }
}
