/// A walk over documents that calls the rules' visitors once per node, in source order.
///
/// The parser's nesting limit bounds the recursion.
struct DocumentWalker {
  private let context: ValidationContext
  private let schema: Schema
  private let visitors: Visitors
  /// The variable usages in the current definition.
  private var usages: [VariableUsage] = []
  private var spreads: [FragmentSpread] = []

  /// Runs rules over the documents of a context.
  static func run(_ rules: [Rule], in context: ValidationContext) {
    var visitors = Visitors()
    for rule in rules { rule(context, &visitors) }
    var walker = DocumentWalker(context: context, visitors: visitors)
    walker.walk()
  }

  private init(context: ValidationContext, visitors: Visitors) {
    self.context = context
    self.visitors = visitors
    schema = context.schema
  }

  private mutating func walk() {
    for visit in visitors.start { visit() }
    var operation = 0
    var fragment = 0
    for document in context.documents {
      for definition in document.definitions {
        usages = []
        spreads = []
        switch definition {
        case .operation(let definition):
          walk(definition)
          context.operations[operation].usages = usages
          context.operations[operation].spreads = spreads
          operation += 1
        case .fragment(let definition):
          walk(definition)
          context.fragments[fragment].usages = usages
          context.fragments[fragment].spreads = spreads
          fragment += 1
        case .schema, .type, .directive: walkTypeSystem(definition)
        }
      }
    }
    for visit in visitors.finish { visit() }
  }

  private mutating func walk(_ operation: OperationDefinition) {
    for visit in visitors.operation { visit(operation) }
    for variable in operation.variables { walk(variable) }
    walk(operation.directives, at: operation.operation.directiveLocation)
    let root = schema.rootType(of: operation.operation)
    walk(operation.selectionSet, on: root?.isComposite == true ? root : nil)
  }

  private mutating func walk(_ fragment: FragmentDefinition) {
    for visit in visitors.fragment { visit(fragment) }
    for visit in visitors.typeName { visit(fragment.typeCondition, false) }
    walk(fragment.directives, at: .fragmentDefinition)
    if context.isRelay { walkRelayDefaults(of: fragment) }
    walk(fragment.selectionSet, on: composite(fragment.typeCondition))
  }

  private mutating func walk(_ variable: VariableDefinition) {
    let type = schema.resolve(variable.type)
    for visit in visitors.variableDefinition { visit(variable, type) }
    for visit in visitors.typeName { visit(variable.type.name, false) }
    if let value = variable.defaultValue {
      walk(value, expecting: InputPosition(type: inputType(type)))
    }
    walk(variable.directives, at: .variableDefinition)
  }

  private func composite(_ name: Name) -> NamedType? {
    schema.type(named: name.symbol).flatMap { $0.isComposite ? $0 : nil }
  }

  private func inputType(_ type: ResolvedType?) -> ResolvedType? {
    type.flatMap { schema[$0.named].isInput ? $0 : nil }
  }
}

extension DocumentWalker {
  private mutating func walk(_ selectionSet: SelectionSet, on parent: NamedType?) {
    for visit in visitors.selectionSet { visit(selectionSet, parent) }
    for selection in selectionSet.selections {
      switch selection {
      case .field(let field): walk(field, on: parent)
      case .fragmentSpread(let spread):
        spreads.append(spread)
        for visit in visitors.fragmentSpread { visit(spread, parent) }
        walk(spread.directives, at: .fragmentSpread)
        if context.isRelay { walkRelayArguments(of: spread) }
      case .inlineFragment(let fragment):
        for visit in visitors.inlineFragment { visit(fragment, parent) }
        if let name = fragment.typeCondition {
          for visit in visitors.typeName { visit(name, false) }
        }
        walk(fragment.directives, at: .inlineFragment)
        let type = fragment.typeCondition.map { composite($0) } ?? parent
        walk(fragment.selectionSet, on: type)
      }
    }
  }

  private mutating func walk(_ field: Field, on parent: NamedType?) {
    let definition = parent.flatMap { context.field(named: field.name.symbol, on: $0) }
    for visit in visitors.field { visit(field, parent, definition) }
    walk(field.arguments, of: definition?.arguments)
    walk(field.directives, at: .field)
    guard let selectionSet = field.selectionSet else { return }
    let type = definition.map { schema[$0.type.named] }
    walk(selectionSet, on: type?.isComposite == true ? type : nil)
  }

  private mutating func walk(_ directives: [Directive], at location: DirectiveLocation) {
    guard !directives.isEmpty else { return }
    for visit in visitors.directives { visit(directives, location) }
    for directive in directives {
      let definition = context.directives[directive.name.symbol]
      for visit in visitors.directive { visit(directive, definition) }
      if context.isRelay, RelayDirectives.hasFragmentArguments(directive) {
        for visit in visitors.arguments { visit(directive.arguments) }
        continue
      }
      walk(
        directive.arguments, of: definition?.arguments,
        isCondition: [.include, .skip, .defer, .stream].contains(directive.name.symbol))
    }
  }

  private mutating func walk(
    _ arguments: [Argument], of definitions: NamedList<SchemaInputValue>?,
    isCondition: Bool = false
  ) {
    guard !arguments.isEmpty else { return }
    for visit in visitors.arguments { visit(arguments) }
    for argument in arguments {
      let definition = definitions?[named: argument.name.symbol]
      walk(
        argument.value,
        expecting: InputPosition(
          type: inputType(definition?.type),
          hasDefault: definition?.defaultValue != nil, isCondition: isCondition))
    }
  }

  /// Walks the arguments that Relay's `@arguments` passes to a fragment, checking them against the
  /// types that the fragment declares.
  private mutating func walkRelayArguments(of spread: FragmentSpread) {
    for argument in spread.passedArguments {
      let variables = context.fragmentVariables(of: spread.name.symbol)
      let variable = variables.first { $0.name.symbol == argument.name.symbol }
      walk(
        argument.value,
        expecting: InputPosition(
          type: inputType(variable?.type), hasDefault: variable?.defaultValue != nil,
          isPassed: true))
    }
  }

  /// Walks the default values in Relay's `@argumentDefinitions`, checking them against the types
  /// declared there.
  private mutating func walkRelayDefaults(of fragment: FragmentDefinition) {
    for variable in context.fragmentVariables(of: fragment.name.symbol) {
      guard let value = variable.defaultValue else { continue }
      walk(value, expecting: InputPosition(type: inputType(variable.type)))
    }
  }

  private mutating func walk(_ value: Value, expecting position: InputPosition) {
    if case .variable(let symbol) = value.kind {
      usages.append(VariableUsage(symbol: symbol, span: value.span, position: position))
      return
    }
    for visit in visitors.value { visit(value, position) }
    switch value.kind {
    case .list(let items):
      let expected = itemPosition(of: position)
      for item in items { walk(item, expecting: expected) }
    case .object(let fields):
      let object = position.type.map { schema[$0.named] }
      for field in fields {
        let definition = object?.inputFields[named: field.name.symbol]
        walk(
          field.value,
          expecting: InputPosition(
            type: inputType(definition?.type),
            hasDefault: definition?.defaultValue != nil,
            parent: object?.kind == .inputObject ? object : nil, isReported: position.isReported))
      }
    default: break
    }
  }

  /// Returns the position of a list's items. Where no list is expected, the items take the list's
  /// expected type and are not reported again.
  private func itemPosition(of position: InputPosition) -> InputPosition {
    var expected = InputPosition(type: position.type?.nullable, isReported: position.isReported)
    if let type = position.type {
      if let item = type.item { expected.type = item } else { expected.isReported = true }
    }
    return expected
  }
}

extension DocumentWalker {
  private mutating func walkTypeSystem(_ definition: Definition) {
    for visit in visitors.typeSystem { visit(definition) }
    switch definition {
    case .schema(let schema):
      walk(schema.directives, at: .schema)
      for root in schema.operationTypes { visitTypeName(root.type) }
    case .type(let type): walk(type)
    case .directive(let directive):
      for argument in directive.arguments {
        walk(argument, at: .argumentDefinition)
      }
    case .operation, .fragment: break
    }
  }

  private mutating func walk(_ type: TypeDefinition) {
    for name in type.interfaces { visitTypeName(name) }
    walk(type.directives, at: type.kind.directiveLocation)
    for field in type.fields {
      for argument in field.arguments { walk(argument, at: .argumentDefinition) }
      visitTypeName(field.type.name)
      walk(field.directives, at: .fieldDefinition)
    }
    for name in type.memberTypes { visitTypeName(name) }
    for value in type.enumValues { walk(value.directives, at: .enumValue) }
    for field in type.inputFields { walk(field, at: .inputFieldDefinition) }
  }

  private mutating func walk(_ value: InputValueDefinition, at location: DirectiveLocation) {
    visitTypeName(value.type.name)
    if let value = value.defaultValue { walk(value, expecting: InputPosition()) }
    walk(value.directives, at: location)
  }

  private func visitTypeName(_ name: Name) {
    for visit in visitors.typeName { visit(name, true) }
  }
}

extension OperationType {
  /// The location of directives on an operation of this type.
  package var directiveLocation: DirectiveLocation {
    switch self {
    case .query: .query
    case .mutation: .mutation
    case .subscription: .subscription
    }
  }
}

extension TypeDefinition.Kind {
  /// The location of directives on a type of this kind.
  package var directiveLocation: DirectiveLocation {
    switch self {
    case .scalar: .scalar
    case .object: .object
    case .interface: .interface
    case .union: .union
    case .enum: .enum
    case .inputObject: .inputObject
    }
  }
}

extension Value {
  /// Whether the value is a literal other than `null`.
  var isNonNullLiteral: Bool {
    switch kind {
    case .null, .variable: false
    default: true
    }
  }
}
