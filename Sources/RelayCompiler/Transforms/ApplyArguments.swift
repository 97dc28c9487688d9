import GraphQLLanguage

/// A pass that creates a copy of a fragment for each set of arguments it is spread with. In the
/// copy, the arguments replace the fragment's variables, because servers do not support fragment
/// arguments.
///
/// The copy for the default arguments retains the fragment's name. The others are named
/// `Name_hash`, and their parts are labelled `Name:hash$defer$label`, because labels are unique in
/// an operation. Fragments that no operation reaches are omitted.
struct ApplyArguments {
  /// The maximum number of selections and values in the copies for one operation.
  package static let limit = 200_000

  private let schema: Schema
  private let fragments: [Symbol: IR.Fragment]
  private let values: ValuePrinter
  /// The names of the copies, by the spreads they were made for.
  private var names: [SelectionKey: Symbol] = [:]
  private var taken: Set<Symbol>
  private var queue: [(name: Symbol, spread: IR.Spread)] = []

  package static func apply(
    to program: IR.Program, diagnostics: inout [Diagnostic]
  ) -> IR.Program {
    if program.fragments.allSatisfy({ $0.fragmentVariables.isEmpty }) { return program }
    var pass = ApplyArguments(program)
    var result = program
    result.operations = []
    result.fragments = []
    for var operation in program.operations {
      var substitution = Substitution(schema: program.schema, limit: limit)
      operation.selections = substitution.selections(operation.selections, .none) {
        .spread(pass.renamed($1))
      }
      let made = pass.copies(&substitution)
      if substitution.remaining > 0 {
        result.operations.append(operation)
        result.fragments += made
      } else {
        diagnostics.append(
          Diagnostic(
            rule: "operation-size",
            message: "Applying the fragment arguments of operation "
              + "\"\(program.symbols[operation.name.symbol])\" creates more than \(limit) fields "
              + "and values. Split it.",
            at: operation.name.span))
      }
    }
    return result
  }

  private init(_ program: IR.Program) {
    schema = program.schema
    fragments = program.fragmentsByName()
    values = ValuePrinter(symbols: program.symbols)
    taken = Set(program.fragments.map(\.name))
  }

  /// Makes the queued copies, and in turn the copies that they spread.
  private mutating func copies(_ substitution: inout Substitution) -> [IR.Fragment] {
    var result: [IR.Fragment] = []
    var next = 0
    while next < queue.count, substitution.remaining > 0 {
      let (name, spread) = queue[next]
      next += 1
      guard var fragment = fragments[spread.name] else { continue }
      let bindings = Substitution.Bindings(of: fragment, arguments: spread.arguments)
      fragment.selections = substitution.selections(fragment.selections, bindings) {
        .spread(renamed($1))
      }
      if name != spread.name {
        fragment.selections = labeled(fragment.selections, on: fragment.type, as: name, of: spread)
      }
      fragment.name = name
      fragment.fragmentVariables = []
      result.append(fragment)
    }
    queue = []
    return result
  }

  /// Returns the selections of a copy with distinct labels.
  private func labeled(
    _ selections: [IR.Selection], on type: TypeID, as name: Symbol, of spread: IR.Spread
  ) -> [IR.Selection] {
    let original = schema.symbols[spread.name] + "_"
    let addition = ":" + schema.symbols[name].dropFirst(original.count)
    let relabel = Relabel(schema: schema, fragments: [:])
    return relabel.selections(selections, of: Relabel.Object(type: type)) { part in
      var label = part.label
      label.addition += addition
      return label
    }
  }

  /// Returns a spread of the copy. Queues the copy if it does not exist yet.
  private mutating func renamed(_ spread: IR.Spread) -> IR.Spread {
    let key = SelectionKey(spread)
    if let name = names[key] { return IR.Spread(name: name, deferral: spread.deferral) }
    let defaults = values.sortedJSON(fragments[spread.name]?.defaults ?? [])
    let name = spread.argumentsText == defaults ? spread.name : freeName(for: spread)
    names[key] = name
    queue.append((name, spread))
    return IR.Spread(name: name, deferral: spread.deferral)
  }

  private mutating func freeName(for spread: IR.Spread) -> Symbol {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in spread.argumentsText.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    var text = schema.symbols[spread.name] + "_" + String(hash, radix: 36)
    while !taken.insert(schema.symbols.intern(text)).inserted { text += "_" }
    return schema.symbols.intern(text)
  }
}
