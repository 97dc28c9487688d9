import GraphQLLanguage

/// An emitter of the structs for operations and fragments.
package struct DefinitionEmitter {
  package let types: SwiftTypes
  /// The operations with the selections that the normalizer writes to the store, by name.
  package let normalization: [Symbol: IR.Operation]
  /// The client-only selections that a retained operation keeps alive, by operation name. Most
  /// operations have none.
  let clientOnly: [Symbol: IR.Operation]
  /// The operations with the selections that are sent to the server, by name.
  package let sent: [Symbol: IR.Operation]
  /// The definitions that can throw when read.
  private let throwing: Set<Symbol>
  package let texts: OperationPrinter
  /// The query names of refetchable fragments.
  private let refetchQueries: Set<Symbol>
  /// Whether reader plans can contain other fragments' plans.
  let hasInlined: Bool
  package let programs: TransformedPrograms
  /// The elements whose values are never persisted.
  let privateElements: PrivateElements

  package init(types: SwiftTypes, programs: TransformedPrograms) {
    self.types = types
    self.programs = programs
    privateElements = PrivateElements(in: programs.reader)
    normalization = programs.normalization.operationsByName()
    clientOnly = programs.clientOnly?.operationsByName() ?? [:]
    sent = programs.sent.operationsByName()
    texts = OperationPrinter(program: programs.sent)
    plans = PlanPrinter(
      schema: types.schema, uses: VariableUses(programs.reader), keys: types.keys)
    throwing = programs.reader.throwingDefinitions()
    refetchQueries = Set(
      programs.reader.fragments.compactMap { PaginationMembers.refetchName(of: $0, types: types) })
    hasInlined = !types.inlineFragments.isEmpty || programs.reader.hasDerivedFields
  }

  let plans: PlanPrinter
  private var access: String { types.access }

  // MARK: Fragments

  package func emit(_ fragment: IR.Fragment, to printer: inout SwiftPrinter) {
    guard let name = types.fragments[fragment.name] else { return }
    var names = ReferencedNames(name, fragment.selections, fragment.provided, types: types)
    let refetch = PaginationMembers.refetchQuery(of: fragment, types: types)
    if let refetch { names.add(code: refetch) }
    let emitter = ObjectEmitter(
      fragment.selections, on: fragment.type, types: types, purpose: .reading,
      names: names, path: name, plan: name + ".__plan")
    printer.documentation(fragment.definition.description?.text)
    let pagination = PaginationMembers(fragment.selections, of: fragment, types: types)
    let conformances = emitter.conformances(
      to: fragment.isUpdatable ? "GraphQLUpdatableFragment" : "GraphQLFragment",
      pagination.conformances)
    printer.block("\(access)nonisolated struct \(name): \(conformances)") { printer in
      emitFailure(of: fragment.name, to: &printer)
      pagination.lines.forEach { printer.line($0) }
      let isAbstract = types.schema[fragment.type].isAbstract
      emit(
        readerPlan(of: fragment),
        with: readerTables(of: fragment.selections, isAbstract: isAbstract), to: &printer)
      if !fragment.provided.isEmpty {
        printer.list(
          "\(access)static var __provided: Variables { [",
          items: types.entries(of: fragment.provided),
          closing: "] }")
      }
      emitter.emitMembers(to: &printer)
      if fragment.isUpdatable {
        printer.blankLine()
        UpdatableEmitter(
          fragment.selections, on: fragment.type, types: types, names: names,
          path: name + ".Updatable"
        ).emit("Updatable", to: &printer)
      }
    }
  }

  /// Emits the type alias for a definition's error, if reading the definition can throw.
  private func emitFailure(of name: Symbol, to printer: inout SwiftPrinter) {
    if throwing.contains(name) { printer.line("\(access)typealias __Failure = RelayError") }
  }

  /// Emits the declaration of a definition's plan.
  private func emit(
    _ plan: borrowing UTF8Buffer, with tables: [String], to printer: inout SwiftPrinter
  ) {
    printer.line { text in
      text += access
      text += "static let __plan = "
      add(plan, with: tables, to: &text)
    }
  }

  /// Appends an expression that creates a plan.
  private func add(
    _ plan: borrowing UTF8Buffer, with tables: [String], to text: inout UTF8Buffer
  ) {
    text += "SelectionPlan("
    SwiftEscaping.write(literal: plan, to: &text, tail: tables.reduce(2) { $0 + 2 + $1.utf8.count })
    for table in tables { text += ", " + table }
    text += ")"
  }

  // MARK: Modules

  /// Returns the modules that a fragment's struct refers to, sorted.
  func modules(of fragment: IR.Fragment) -> [String] {
    if types.modules.isEmpty { return [] }
    return ModuleUse(fragment.selections, fragment.provided, types: types).modules.sorted()
  }

  /// Returns the modules that an operation's struct refers to, sorted.
  func modules(of operation: IR.Operation) -> [String] {
    if types.modules.isEmpty { return [] }
    var use = ModuleUse(operation.selections, operation.provided, types: types)
    if hasRawResponse(operation) {
      use.add(normalization[operation.name.symbol]?.selections ?? [])
    }
    for variable in operation.definition.variables { use.add(variable.type) }
    return use.modules.sorted()
  }

  // MARK: Operations

  package func emit(_ operation: IR.Operation, to printer: inout SwiftPrinter) {
    if operation.isUpdatable { return emitUpdatable(operation, to: &printer) }
    guard let name = types.operations[operation.name.symbol],
      let stored = normalization[operation.name.symbol], let sent = sent[operation.name.symbol]
    else { return }
    let names = ReferencedNames(
      name, operation.selections, operation.provided, types: types)
    let kind = SwiftName.upperFirst(operation.definition.operation.rawValue)
    printer.documentation(operation.definition.description?.text)
    let isRefetchQuery = refetchQueries.contains(operation.name.symbol)
    let elements = privateElements(of: operation, stored: stored)
    let isPrivate = operation.definition.operation == .mutation && !elements.isEmpty
    let conformance =
      isRefetchQuery ? "GraphQLRefetchQuery" : isPrivate ? "GraphQLMutating" : "GraphQL" + kind
    printer.block("\(access)nonisolated struct \(name): \(conformance), Hashable") { printer in
      if operation.definition.operation == .query {
        emitFailure(of: operation.name.symbol, to: &printer)
      }
      emitOperationPlan(
        operation, sent: sent, stored: stored, after: elements.prefix, to: &printer)
      OperationVariables(operation, types: types, names: names)
        .emit(isRefetchQuery: isRefetchQuery, to: &printer)
      emitData(operation, names: names, name: name, to: &printer)
      if hasRawResponse(operation) {
        emitRawResponse(stored, of: operation, name: name, to: &printer)
      } else if operation.definition.operation == .mutation {
        printer.line("\(access)typealias RawResponse = NoRawResponse")
      }
    }
  }

  private func emitUpdatable(_ operation: IR.Operation, to printer: inout SwiftPrinter) {
    guard let name = types.operations[operation.name.symbol] else { return }
    let names = ReferencedNames(
      name, operation.selections, operation.provided, types: types)
    printer.documentation(operation.definition.description?.text)
    printer.block("\(access)nonisolated struct \(name): GraphQLUpdatableQuery") { printer in
      emit(
        readerPlan(of: operation), with: updatableTables(of: operation.selections), to: &printer)
      if let defaults = defaults(of: operation) {
        printer.line(
          "\(access)static var __defaults: String { \(SwiftEscaping.literal(defaults)) }")
      }
      OperationVariables(operation, types: types, names: names).emit(to: &printer)
      printer.blankLine()
      UpdatableEmitter(
        operation.selections, on: operation.root, types: types, names: names, path: name + ".Data"
      ).emit("Data", to: &printer)
    }
  }

  func hasRawResponse(_ operation: IR.Operation) -> Bool {
    operation.hasRawResponse(types.options, types.schema.symbols)
  }

  private func emitOperationPlan(
    _ operation: IR.Operation, sent: IR.Operation, stored: IR.Operation, after prefix: String,
    to printer: inout SwiftPrinter
  ) {
    let document = texts.document(of: sent)
    let reader = readerPlan(of: operation)
    let readerTables = readerTables(of: operation.selections)
    let normalization = normalizationPlan(of: stored, after: prefix)
    let normalizationTables = normalizationTables(of: operation, stored: stored)
    let tables = Set(readerTables + normalizationTables)
    let defaults = defaults(of: sent)
    printer.line(access, "static let __operation = OperationPlan(")
    printer.indented { printer in
      if defaults == nil, !types.options.persistence.isByID,
        tables.isSubset(of: ["types: nil", tableOfLeaves])
      {
        // The short form passes strings and leaves; the runtime derives everything else.
        printer.argument("text", document)
        printer.argument("reader", reader)
        printer.argument("normalization", normalization, isLast: tables.isEmpty)
        if !tables.isEmpty { printer.line(tableOfLeaves, ")") }
      } else {
        printer.line("name: ", SwiftEscaping.literal(types.text(operation.name.symbol)), ",")
        emitIdentification(document, of: sent, to: &printer)
        if let defaults {
          printer.line("variableDefaults: ", SwiftEscaping.literal(defaults), ",")
        }
        printer.line { text in
          text += "reader: "
          add(reader, with: readerTables, to: &text)
          text += ","
        }
        printer.line { text in
          text += "normalization: "
          add(normalization, with: normalizationTables, to: &text)
          text += ")"
        }
      }
    }
  }

  /// Returns the default values of an operation's variables as a JSON object, or `nil` when it has
  /// none.
  private func defaults(of operation: IR.Operation) -> String? {
    let symbols = types.schema.symbols
    let values = ValuePrinter(symbols: symbols)
    let defaults = operation.definition.variables
      .compactMap { variable in variable.defaultValue.map { (symbols[variable.name.symbol], $0) } }
      .sorted(byText: \.0)
      .map { "\"\($0.0)\":" + values.json($0.1) }
    return defaults.isEmpty ? nil : "{" + defaults.joined(separator: ",") + "}"
  }

  /// Emits the arguments that identify the operation to the server: its document, its id, or both.
  /// Without the document, which declares the variables, their names are an argument too.
  private func emitIdentification(
    _ document: borrowing UTF8Buffer, of sent: IR.Operation, to printer: inout SwiftPrinter
  ) {
    if case .ids(let includesText) = types.options.persistence {
      printer.line("id: \"\(SHA256.hexadecimal(document.text))\",")
      if !includesText {
        if sent.definition.variables.isEmpty, sent.provided.isEmpty { return }
        let names = texts.variables(of: sent).joined(separator: " ")
        return printer.line("variables: ", SwiftEscaping.literal(names), ",")
      }
    }
    printer.argument("text", document)
  }

  /// The manifest: an entry for each operation that is sent, sorted by name.
  var manifest: [PersistedOperation] {
    sent.values.map { operation in
      let text = texts.document(of: operation).text
      return PersistedOperation(
        id: SHA256.hexadecimal(text), name: types.text(operation.name.symbol),
        kind: operation.definition.operation.rawValue, text: text)
    }.sorted(byText: \.name)
  }

  private func emitData(
    _ operation: IR.Operation, names: ReferencedNames, name: String, to printer: inout SwiftPrinter
  ) {
    let emitter = ObjectEmitter(
      operation.selections, on: operation.root, types: types, purpose: .reading,
      names: names, path: name + ".Data",
      plan: name + ".__operation.reader")
    let pagination = PaginationMembers(operation.selections, types: types)
    let conformances = emitter.conformances(pagination.conformances)
    printer.block("\(access)struct Data: \(conformances)") { printer in
      pagination.lines.forEach { printer.line($0) }
      emitter.emitMembers(to: &printer)
    }
  }

  private func emitRawResponse(
    _ stored: IR.Operation, of operation: IR.Operation, name: String,
    to printer: inout SwiftPrinter
  ) {
    let emitter = ObjectEmitter(
      stored.selections, on: stored.root, types: types, purpose: .rawResponse,
      names: ReferencedNames(name, stored.selections, operation.provided, types: types),
      path: name + ".RawResponse",
      plan: name + ".__operation.normalization")
    printer.block("\(access)struct RawResponse: \(emitter.conformances())") { printer in
      emitter.emitMembers(to: &printer)
    }
  }
}
