import GraphQLLanguage

/// A pass that moves selections with deferred or streamed parts into fragments if the operation
/// text would repeat them. Labels must be unique within an operation.
///
/// A disjunction of conditions is written as one inline fragment per condition, each with the same
/// selections. For example, the first text is replaced with the second:
///
///     ...@include(if:$a){...F@defer(label:"Q$defer$F")} ...@include(if:$b){...F@defer(label:"Q$defer$F")}
///     ...@include(if:$a){...Q_1} ...@include(if:$b){...Q_1}
///
/// Applies only to the program that is sent, as its last pass. Plans have each selection once.
struct NameRepeatedParts {
  private let schema: Schema
  /// The names of all fragments.
  private var taken: Set<Symbol>
  /// The name of the current definition.
  private var owner: Symbol = .typename
  /// The number of fragments made for the current definition.
  private var count = 0
  private var fragments: [IR.Fragment] = []

  package static func apply(to program: IR.Program) -> IR.Program {
    var pass = NameRepeatedParts(program)
    var result = program
    for (index, operation) in program.operations.enumerated() {
      pass.start(operation.name.symbol)
      result.operations[index].selections = pass.selections(
        operation.selections, on: operation.root)
    }
    for (index, fragment) in program.fragments.enumerated() {
      pass.start(fragment.name)
      result.fragments[index].selections = pass.selections(fragment.selections, on: fragment.type)
    }
    result.fragments += pass.fragments
    return result
  }

  private init(_ program: IR.Program) {
    schema = program.schema
    taken = Set(program.fragments.map(\.name))
  }

  private mutating func start(_ definition: Symbol) { (owner, count) = (definition, 0) }

  private mutating func selections(
    _ selections: [IR.Selection], on type: TypeID
  ) -> [IR.Selection] {
    selections.replacingEach(of: type) { selection, type in
      let isRepeated = selection.condition.clauses.contains { $0.count > 1 }
      guard isRepeated, [selection].hasSelection(where: Self.isPart) else { return nil }
      return selection.with(.spread(IR.Spread(name: fragment(of: selection, on: type))))
    }
  }

  /// Returns whether a selection has `@defer` or `@stream`.
  private static func isPart(_ selection: IR.Selection) -> Bool {
    switch selection.content {
    case .field(let field): field.directives[named: .stream] != nil
    case .inlineFragment: false
    case .spread(let spread): spread.deferral != nil
    }
  }

  /// Adds a fragment with the content of a selection.
  ///
  /// - Returns: The fragment's name.
  private mutating func fragment(of selection: IR.Selection, on type: TypeID) -> Symbol {
    count += 1
    var text = "\(schema.symbols[owner])_\(count)"
    while !taken.insert(schema.symbols.intern(text)).inserted { text += "_" }
    let name = schema.symbols.intern(text)
    let definition = FragmentDefinition(
      name: Name(name), typeCondition: Name(schema[type].symbol), selectionSet: SelectionSet([]))
    fragments.append(
      IR.Fragment(
        definition: definition, name: name, type: type,
        selections: [IR.Selection(content: selection.content)]))
    return name
  }
}
