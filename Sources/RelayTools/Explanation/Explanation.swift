import GraphQLLanguage
import RelayCompiler

/// The explanations of a compilation's definitions: the document sent, the plans, the Swift types
/// and the cost of a response.
struct Explanation {
  private let workspace: Workspace
  private let program: IR.Program
  private let emitter: DefinitionEmitter
  private var schema: Schema { program.schema }

  /// - Returns: `nil` if the compilation has errors.
  init?(_ compilation: Compilation) {
    let stages = compilation.stages
    guard !compilation.diagnostics.hasErrors, let lowered = stages.lowered,
      let transformed = stages.transformed, let types = stages.types
    else { return nil }
    workspace = compilation.workspace
    program = lowered.program
    emitter = DefinitionEmitter(types: types, programs: transformed)
  }

  /// The names of the definitions and of their Swift types.
  var names: [String] {
    let definitions = program.operations.map(\.name.symbol) + program.fragments.map(\.name)
    let types =
      program.operations.compactMap { emitter.types.operations[$0.name.symbol] }
      + program.fragments.compactMap { emitter.types.fragments[$0.name] }
    let texts = definitions.map { schema.symbols[$0] }
    return texts + types.filter { !texts.contains($0) }
  }

  /// Returns suggestions for a misspelled name: names that differ only in case, or else similar
  /// names.
  func suggestions(for name: String) -> [String] { Self.suggestions(for: name, among: names) }

  private static func suggestions(for name: String, among names: [String]) -> [String] {
    let equal = names.filter { $0.lowercased() == name.lowercased() }
    return equal.isEmpty ? GraphQLLanguage.suggestions(for: name, among: names) : equal
  }

  /// Returns the message about an unknown name: similar names of definitions; for the name of a
  /// field, or a similar one, the definitions that select it.
  func correction(of name: String) -> String {
    let message = "No operation or fragment is called \"\(name)\"."
    let fields = selectingDefinitions
    let field = name.split(separator: ".").last.map(String.init) ?? name
    let isDefinition = names.contains { $0.lowercased() == name.lowercased() }
    if !isDefinition, let definitions = fields[field] {
      let list = definitions.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
      return message + " \"\(field)\" is a field, which \(list) "
        + (definitions.count == 1 ? "selects." : "select.")
    }
    if let question = didYouMean(suggestions(for: name)) { return "\(message) \(question)" }
    let similar = Self.suggestions(for: field, among: fields.keys.sorted())
    guard let first = similar.first, let definition = fields[first]?.first else { return message }
    return "\(message) Did you mean the field \"\(first)\", which \"\(definition)\" selects?"
  }

  /// The names of the definitions that select each field, by the field's name and its alias.
  private var selectingDefinitions: [String: [String]] {
    var found: [String: [String]] = [:]
    func add(_ selections: [IR.Selection], of definition: Symbol) {
      for selection in selections {
        switch selection.content {
        case .field(let field):
          for symbol in Set([field.name, field.responseKey]) {
            let definition = schema.symbols[definition]
            if found[schema.symbols[symbol]]?.last != definition {
              found[schema.symbols[symbol], default: []].append(definition)
            }
          }
          add(field.selections, of: definition)
        case .inlineFragment(let fragment): add(fragment.selections, of: definition)
        case .spread: break
        }
      }
    }
    for operation in program.operations { add(operation.selections, of: operation.name.symbol) }
    for fragment in program.fragments { add(fragment.selections, of: fragment.name) }
    return found
  }

  /// Returns the explanation of a definition, for a terminal.
  ///
  /// - Parameter name: The name of the definition or of its Swift type.
  /// - Returns: `nil` if the name is unknown.
  func text(of name: String) -> String? {
    let operation = emitter.programs.reader.operations.first {
      schema.symbols[$0.name.symbol] == name || emitter.types.operations[$0.name.symbol] == name
    }
    if let operation { return text(of: operation) }
    // A fragment's own name takes precedence over the Swift type of another fragment.
    let fragments = emitter.programs.reader.fragments
    let fragment =
      fragments.first { schema.symbols[$0.name] == name }
      ?? fragments.first { emitter.types.fragments[$0.name] == name }
    return fragment.map { text(of: $0) }
  }

  // MARK: Operations

  private func text(of operation: IR.Operation) -> String {
    let symbol = operation.name.symbol
    let kind = operation.definition.operation.rawValue
    var text = heading(kind, operation.name, in: operation.definition.span)
    var facts = [fact("spreads", spreads(of: operation.selections))]
    var printer = SwiftPrinter()
    emitter.emit(operation, to: &printer)
    var sections: [String] = []
    if let sent = emitter.sent[symbol], let stored = emitter.normalization[symbol] {
      let document = emitter.texts.document(of: sent).text
      let cost = SelectionCost(stored, schema: schema)
      facts.append(
        fact(
          "cost",
          [
            "\(cost.fieldCount.counted("field"))", "depth \(cost.depth)",
            cost.objectText,
          ]))
      sections.append(section("Sent, \(document.utf8.count.counted("byte"))", readable(document)))
      sections.append(section("Swift", SwiftOutline.lines(of: printer.text)))
      let elements = emitter.privateElements(of: operation, stored: stored)
      sections.append(
        section(
          "Plans",
          [
            "read    " + emitter.readerPlan(of: operation).text,
            "stored  " + emitter.normalizationPlan(of: stored, after: elements.prefix).text,
          ]))
    } else {
      sections.append(section("Swift", SwiftOutline.lines(of: printer.text)))
      sections.append(section("Plan", [emitter.readerPlan(of: operation).text]))
    }
    text += facts.compactMap(\.self).joined()
    return text + sections.joined()
  }

  /// The formatted lines of a document that is sent without white space.
  private func readable(_ document: String) -> [String] {
    Workspace().parse(Source(document)).document.text().split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
  }

  // MARK: Fragments

  private func text(of fragment: IR.Fragment) -> String {
    var text = heading(
      "fragment", fragment.definition.name, in: fragment.definition.span,
      " on " + schema.name(of: fragment.type))
    text += [
      fact("spreads", spreads(of: fragment.selections)),
      fact("spread by", users(of: fragment.name)),
    ].compactMap(\.self).joined()
    var printer = SwiftPrinter()
    emitter.emit(fragment, to: &printer)
    text += section("Swift", SwiftOutline.lines(of: printer.text))
    return text + section("Plan", [emitter.readerPlan(of: fragment).text])
  }

  /// The definitions that spread a fragment.
  private func users(of fragment: Symbol) -> [String] {
    let definitions =
      program.operations.map { ($0.name.symbol, $0.selections) }
      + program.fragments.map { ($0.name, $0.selections) }
    return definitions.filter { _, selections in
      SelectionDependencies(selections).spreads.contains(fragment)
    }.map { schema.symbols[$0.0] }
  }

  // MARK: Parts

  private func heading(
    _ kind: String, _ name: Name, in span: Span, _ rest: String = ""
  ) -> String {
    let place = workspace.location(of: name.span).map { ", \($0)" }
    return "\(kind) \(schema.symbols[name.symbol])\(rest)\(place ?? "")\n"
  }

  private func spreads(of selections: [IR.Selection]) -> [String] {
    var seen: Set<Symbol> = []
    return SelectionDependencies(selections).spreads.filter { seen.insert($0).inserted }.map {
      schema.symbols[$0]
    }
  }

  private func fact(_ name: String, _ values: [String]) -> String? {
    values.isEmpty
      ? nil
      : "  \(name)\(String(repeating: " ", count: 11 - name.count))\(values.joined(separator: ", "))\n"
  }

  private func section(_ title: String, _ lines: [String]) -> String {
    "\n\(title)\n" + lines.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
  }
}
