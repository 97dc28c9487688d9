import GraphQLLanguage

/// A lowering of valid documents to a program. It resolves types and fields and reads the
/// directives.
struct Lowering {
  private let schema: Schema
  /// The name of the definition being lowered.
  private var owner = ""
  /// The sources of the schema's client extensions.
  private let clientSources: Set<SourceID>
  private var errors: ErrorDirectives { ErrorDirectives(symbols: schema.symbols) }
  private var store: DataDirectives { DataDirectives(symbols: schema.symbols) }

  /// Lowers validated documents to a program. Names that cannot be resolved are left out.
  ///
  /// - Parameter clientSources: The sources of the schema's client extensions. Their types and
  ///   fields do not exist on the server.
  package static func program(
    of documents: [Document], schema: Schema, clientSources: Set<SourceID> = []
  ) -> IR.Program {
    var lowering = Lowering(schema: schema, clientSources: clientSources)
    var program = IR.Program(schema: schema)
    if !clientSources.isEmpty {
      let types = schema.types.filter { clientSources.contains($0.definition.span.source) }
      program.clientTypes = Set(types.map(\.id))
    }
    for definition in documents.lazy.flatMap(\.definitions) {
      switch definition {
      case .operation(let operation):
        guard let name = operation.name, let root = schema.rootType(of: operation.operation)
        else { continue }
        lowering.owner = schema.symbols[name.symbol]
        program.operations.append(
          IR.Operation(
            definition: operation, name: name, root: root.id,
            isUpdatable: operation.directives[named: .updatable] != nil,
            handling: lowering.errors.handling(operation.directives),
            selections: lowering.selections(operation.selectionSet, on: root)))
      case .fragment(let fragment):
        guard let type = schema.type(named: fragment.typeCondition.symbol) else { continue }
        lowering.owner = schema.symbols[fragment.name.symbol]
        let fragmentVariables = lowering.fragmentVariables(of: fragment)
        program.fragments.append(
          IR.Fragment(
            definition: fragment, name: fragment.name.symbol, type: type.id,
            isInline: fragment.directives[named: .inline] != nil,
            isUpdatable: fragment.directives[named: .updatable] != nil,
            fragmentVariables: fragmentVariables,
            handling: lowering.errors.handling(fragment.directives),
            provided: fragmentVariables.compactMap(\.provided),
            selections: lowering.selections(fragment.selectionSet, on: type)))
      default: continue
      }
    }
    return program
  }

  private func fragmentVariables(of fragment: FragmentDefinition) -> [IR.FragmentVariable] {
    RelayDirectives.fragmentVariables(of: fragment, in: schema).map { variable in
      var provided: IR.ProvidedVariable?
      if let provider = variable.provider, let type = variable.type {
        let name = schema.symbols.intern(RelayDirectives.providedVariable(of: provider))
        provided = IR.ProvidedVariable(
          name: name, provider: provider, fragment: fragment.name.symbol, type: type)
      }
      return IR.FragmentVariable(
        name: variable.name.symbol, defaultValue: variable.defaultValue, provided: provided,
        span: variable.name.span)
    }
  }

  private func selections(_ set: SelectionSet, on type: NamedType) -> [IR.Selection] {
    set.selections.compactMap { selection in
      let condition = condition(of: selection.directives)
      if condition.isNever { return nil }
      return content(selection, on: type).map { IR.Selection(content: $0, condition: condition) }
    }.orTypename(in: schema)
  }

  private func content(_ selection: Selection, on type: NamedType) -> IR.Selection.Content? {
    switch selection {
    case .field(let field):
      return self.field(field, on: type).map(IR.Selection.Content.field)
    case .fragmentSpread(let spread):
      let mask = spread.directives[named: .relay]?.argument("mask", in: schema.symbols)
      return .spread(
        IR.Spread(
          name: spread.name.symbol, arguments: spread.passedArguments.map(IR.Argument.init),
          alias: alias(in: spread.directives, default: spread.name.symbol),
          isMasked: mask?.kind != .boolean(false),
          deferral: store.deferral(of: spread, in: owner)))
    case .inlineFragment(let fragment):
      var inner = type
      if let name = fragment.typeCondition {
        guard let found = schema.type(named: name.symbol) else { return nil }
        inner = found
      }
      return .inlineFragment(
        IR.InlineFragment(
          type: inner.id,
          alias: alias(in: fragment.directives, default: fragment.typeCondition?.symbol),
          selections: selections(fragment.selectionSet, on: inner)))
    }
  }

  private func field(_ field: Field, on type: NamedType) -> IR.Field? {
    guard let (fieldType, isClient) = definition(of: field, on: type) else {
      return recordID(field)
    }
    return IR.Field(
      responseKey: field.responseKey, name: field.name.symbol,
      arguments: field.arguments.map(IR.Argument.init),
      type: fieldType, details: details(of: field, on: type, isClient: isClient),
      selections: field.selectionSet.map { selections($0, on: schema[fieldType.named]) } ?? [])
  }

  /// Returns the field's type and whether the field is client-only.
  private func definition(
    of field: Field, on type: NamedType
  ) -> (type: ResolvedType, isClient: Bool)? {
    if clientSources.isEmpty, let position = type.fields.position(of: field.name.symbol) {
      return (type.fields.elements[position].type, false)
    }
    guard let definition = schema.field(named: field.name.symbol, on: type) else { return nil }
    return (definition.type, clientSources.contains(definition.definition.span.source))
  }

  private func details(
    of field: Field, on type: NamedType, isClient: Bool
  ) -> IR.FieldDetails {
    let derived =
      isClient ? schema.field(named: field.name.symbol, on: type).flatMap(derivation) : nil
    if field.directives.isEmpty { return IR.FieldDetails(isClient: isClient, derived: derived) }
    let stream = store.stream(of: field, in: owner)
    return IR.FieldDetails(
      isClient: isClient, derived: derived,
      directives: schema.serverDirectives(field.directives) + [stream].compactMap(\.self),
      required: errors.action(field.directives), catches: errors.target(field.directives),
      connection: isClient ? nil : store.connection(of: field),
      handles: isClient ? [] : store.handles(of: field, in: owner))
  }

  /// Returns the fragment named by `@derived(fragment:)`.
  private func derivation(of definition: SchemaField) -> Symbol? {
    definition.directives[named: .derived]?.text("fragment", in: schema.symbols)
      .map(schema.symbols.intern)
  }

  /// Lowers `__id`, which every record has; returns `nil` for other fields.
  private func recordID(_ field: Field) -> IR.Field? {
    guard schema.symbols[field.name.symbol] == "__id", let id = schema.type(named: "ID") else {
      return nil
    }
    return IR.Field(
      responseKey: field.responseKey, name: field.name.symbol, type: ResolvedType(id.id).nonNull,
      details: .init(isClient: true))
  }

  /// Returns the `as` of `@alias`, or `name` if it has none; `nil` without `@alias`.
  private func alias(in directives: [Directive], default name: Symbol?) -> Symbol? {
    guard let directive = directives[named: .alias] else { return nil }
    return directive.text("as", in: schema.symbols).map(schema.symbols.intern) ?? name
  }

  /// Returns the conjunction of `@include` and `@skip` in the directives.
  private func condition(of directives: [Directive]) -> Guard {
    var result = Guard.always
    for directive in directives {
      let isSkip = directive.name.symbol == .skip
      guard isSkip || directive.name.symbol == .include,
        let value = directive.arguments.first?.value.kind
      else { continue }
      switch value {
      case .variable(let variable):
        result = result.and(Guard(.variable(variable, isNegated: isSkip)))
      case .boolean(let holds): if holds == isSkip { return .never }
      default: continue
      }
    }
    return result
  }
}
