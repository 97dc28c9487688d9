import GraphQLLanguage
import RelayCompiler

/// A walk over documents that finds the names in them and the elements they refer to.
///
/// The recursion is as deep as the nesting that the parser permits.
struct OccurrenceWalker {
  let context: LanguageContext
  /// The occurrences found, in the order of the walk.
  private(set) var occurrences: [Occurrence] = []
  /// A literal at an argument or input field, with the expected type.
  struct Literal {
    let value: Value
    let name: Symbol
    let type: ResolvedType?
  }

  /// The literals of arguments, each followed by the literals of its input fields. Values in lists
  /// are omitted, as are arguments of the compiler's directives, which cannot be variables.
  private(set) var literals: [Literal] = []
  /// Whether literals are collected.
  var collectsLiterals = false
  /// The definition being walked.
  private var scope = VariableScope.operation(.empty)
  /// Whether the current value must not contain variables.
  private var isConstant = false
  /// The variables that the fragment being walked declares.
  private var fragmentVariables: Set<Symbol> = []

  init(_ context: LanguageContext) { self.context = context }

  private var schema: Schema { context.schema }

  /// Returns the occurrences in a document.
  static func occurrences(in document: Document, _ context: LanguageContext) -> [Occurrence] {
    var walker = OccurrenceWalker(context)
    for definition in document.definitions { walker.walk(definition) }
    return walker.occurrences
  }

  mutating func walk(_ definition: Definition) {
    switch definition {
    case .operation(let operation): walk(operation)
    case .fragment(let fragment): walk(fragment)
    case .schema, .type, .directive: walkTypeSystem(definition)
    }
  }

  mutating func add(
    _ element: LanguageElement, _ name: Name, isDefinition: Bool = false, parent: NamedType? = nil,
    type: ResolvedType? = nil, location: DirectiveLocation? = nil, place: TypePlace? = nil,
    names: [String] = [], selection: Selection? = nil, list: NameList = .none
  ) {
    guard name.span.isKnown else { return }
    occurrences.append(
      Occurrence(
        element: element, span: name.span, isDefinition: isDefinition, parent: parent, type: type,
        location: location, place: place, isConstant: isConstant, names: names,
        selection: selection, list: list))
  }

  /// Walks a portion of a definition that must not contain variables.
  mutating func walkConstant(_ walk: (inout OccurrenceWalker) -> Void) {
    let outer = isConstant
    isConstant = true
    walk(&self)
    isConstant = outer
  }

  private mutating func walk(_ operation: OperationDefinition) {
    scope = .operation(operation.name?.symbol ?? .empty)
    fragmentVariables = []
    if let name = operation.name { add(.operation(name.symbol), name, isDefinition: true) }
    for variable in operation.variables {
      let type = schema.resolve(variable.type)
      add(
        .variable(scope, name: variable.name.symbol), variable.name, isDefinition: true, type: type)
      add(
        .type(variable.type.name.symbol), variable.type.name, place: .input)
      walkConstant {
        if let value = variable.defaultValue { $0.walk(value, expecting: type) }
        $0.walk(variable.directives, at: .variableDefinition)
      }
    }
    walk(operation.directives, at: operation.operation.directiveLocation)
    walk(operation.selectionSet, on: schema.rootType(of: operation.operation))
  }

  private mutating func walk(_ fragment: FragmentDefinition) {
    let name = fragment.name
    scope = .fragment(name.symbol)
    let variables = RelayDirectives.fragmentVariables(of: fragment, in: schema)
    fragmentVariables = Set(variables.map(\.name.symbol))
    add(.fragment(name.symbol), name, isDefinition: true)
    let type = context.composite(fragment.typeCondition.symbol)
    add(.type(fragment.typeCondition.symbol), fragment.typeCondition, parent: type)
    for variable in variables {
      add(
        .fragmentVariable(fragment: name.symbol, name: variable.name.symbol), variable.name,
        isDefinition: true, type: variable.type)
      if let value = variable.defaultValue {
        walkConstant { $0.walk(value, expecting: variable.type) }
      }
    }
    walk(fragment.directives, at: .fragmentDefinition)
    walk(fragment.selectionSet, on: type)
  }

  // MARK: Selections

  private mutating func walk(_ set: SelectionSet, on parent: NamedType?) {
    for selection in set.selections {
      switch selection {
      case .field(let field): walk(field, selection, on: parent)
      case .fragmentSpread(let spread):
        add(.fragment(spread.name.symbol), spread.name, parent: parent)
        walk(spread.directives, at: .fragmentSpread, of: selection)
      case .inlineFragment(let fragment):
        if let name = fragment.typeCondition { add(.type(name.symbol), name, parent: parent) }
        walk(fragment.directives, at: .inlineFragment, of: selection)
        let type = fragment.typeCondition.map { context.composite($0.symbol) } ?? parent
        walk(fragment.selectionSet, on: type)
      }
    }
  }

  private mutating func walk(_ field: Field, _ selection: Selection, on parent: NamedType?) {
    let definition = parent.flatMap { context.field(named: field.name.symbol, on: $0) }
    if let alias = field.alias {
      add(.alias(alias.span), alias, parent: parent, type: definition?.type)
    }
    let owner = parent?.symbol ?? .empty
    add(
      .field(type: owner, name: field.name.symbol), field.name, parent: parent,
      type: definition?.type)
    for argument in field.arguments {
      let type = definition?.arguments[named: argument.name.symbol]?.type
      add(
        .argument(type: owner, field: field.name.symbol, name: argument.name.symbol),
        argument.name, parent: parent, type: type, list: .arguments(field.arguments))
      walk(argument.value, of: argument.name, expecting: type)
    }
    walk(field.directives, at: .field, of: selection, type: definition?.type)
    guard let set = field.selectionSet else { return }
    let type = definition.map { schema[$0.type.named] }
    walk(set, on: type?.isComposite == true ? type : nil)
  }

  // MARK: Directives and values

  /// - Parameters:
  ///   - selection: The selection that the directives are on.
  ///   - type: The type of the field, if the selection is one.
  mutating func walk(
    _ directives: [Directive], at location: DirectiveLocation, of selection: Selection? = nil,
    type: ResolvedType? = nil
  ) {
    for directive in directives {
      let name = directive.name
      add(
        .directive(name.symbol), name, type: type, location: location, selection: selection,
        list: .directives(directives))
      if RelayDirectives.isArgumentDefinitions(directive) { continue }
      let definition = context.directive(named: name.symbol)
      let collects = collectsLiterals
      collectsLiterals = collects && schema.directives[named: name.symbol] != nil
      defer { collectsLiterals = collects }
      var passed: Symbol?
      if RelayDirectives.isArguments(directive), case .fragmentSpread(let spread) = selection {
        passed = spread.name.symbol
      }
      for argument in directive.arguments {
        let type: ResolvedType?
        let element: LanguageElement
        if let passed {
          type =
            context.fragmentVariables(of: passed)
            .first { $0.name.symbol == argument.name.symbol }?.type
          element = .fragmentVariable(fragment: passed, name: argument.name.symbol)
        } else {
          type = definition?.arguments[named: argument.name.symbol]?.type
          element = .directiveArgument(directive: name.symbol, name: argument.name.symbol)
        }
        add(element, argument.name, type: type, list: .arguments(directive.arguments))
        addFragment(of: argument, directive)
        if type == nil, addRelayValue(of: argument, directive) { continue }
        walk(argument.value, of: argument.name, expecting: type)
      }
    }
  }

  /// Adds the value of an argument whose type exists only in Relay.
  ///
  /// - Returns: `false` if the argument has no such type.
  private mutating func addRelayValue(of argument: Argument, _ directive: Directive) -> Bool {
    let symbols = context.symbols
    guard case .enumValue(let name) = argument.value.kind,
      let names = ClientDirectives.values(
        of: symbols[argument.name.symbol], in: symbols[directive.name.symbol])
    else { return false }
    add(
      .enumValue(type: .empty, name: name), Name(name, span: argument.value.span), names: names)
    return true
  }

  /// Adds the fragment named by the string in `@derived(fragment:)`.
  private mutating func addFragment(of argument: Argument, _ directive: Directive) {
    let symbols = context.symbols
    guard symbols[directive.name.symbol] == "derived", symbols[argument.name.symbol] == "fragment",
      case .string(let text, isBlock: false) = argument.value.kind
    else { return }
    let span = argument.value.span
    let inner = Span(start: span.start + 1, end: span.end - 1, source: span.source)
    guard span.isKnown, Int(inner.end - inner.start) == text.utf8.count else { return }
    let name = symbols.intern(text)
    add(.fragment(name), Name(name, span: inner))
  }

  /// Walks the value of an argument or an input field.
  private mutating func walk(_ value: Value, of name: Name, expecting type: ResolvedType?) {
    if collectsLiterals { literals.append(Literal(value: value, name: name.symbol, type: type)) }
    walk(value, expecting: type)
  }

  mutating func walk(_ value: Value, expecting type: ResolvedType?) {
    switch value.kind {
    case .variable(let name): addVariable(name, at: value.span, type: type)
    case .enumValue(let name):
      let owner = type.map { schema[$0.named].symbol } ?? .empty
      add(
        .enumValue(type: owner, name: name), Name(name, span: value.span),
        parent: type.map { schema[$0.named] }, type: type)
    case .list(let items):
      let collects = collectsLiterals
      collectsLiterals = false
      for item in items { walk(item, expecting: type.map { $0.item ?? $0 }) }
      collectsLiterals = collects
    case .object(let fields):
      let parent = type.map { schema[$0.named] }
      for field in fields {
        let definition = parent?.inputFields[named: field.name.symbol]
        add(
          .inputField(type: parent?.symbol ?? .empty, name: field.name.symbol), field.name,
          parent: parent, type: definition?.type, list: .inputFields(fields))
        walk(field.value, of: field.name, expecting: definition?.type)
      }
    case .int, .float, .string, .boolean, .null: break
    }
  }

  /// Adds the use of a variable. The value's span starts at the `$`.
  private mutating func addVariable(_ name: Symbol, at span: Span, type: ResolvedType?) {
    let text = Name(name, span: Span(start: span.start + 1, end: span.end, source: span.source))
    if case .fragment(let fragment) = scope, fragmentVariables.contains(name) {
      add(.fragmentVariable(fragment: fragment, name: name), text, type: type)
    } else {
      add(.variable(scope, name: name), text, type: type)
    }
  }
}
