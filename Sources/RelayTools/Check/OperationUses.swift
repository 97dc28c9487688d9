import GraphQLLanguage

/// The uses of schema elements by the operations and fragments of documents.
///
/// Elements outside the schema are ignored: client-only fields and Relay's directives.
struct OperationUses {
  /// One use.
  struct Use {
    let element: ElementUse
    /// The index of the path in ``paths``.
    let path: Int
    /// The span of the name.
    let span: Span
    /// The span of the entire selection.
    let extent: Span
    /// The definition that contains the use.
    let definition: Symbol
    /// The value of an argument or input field in the operation's text.
    let value: Value?
  }

  /// A response key or variable, after the path of the enclosing object.
  private struct PathKey {
    let parent: Int
    let name: String
  }

  let schema: Schema
  private(set) var uses: [Use] = []
  /// The response keys of the selected fields, by the span of the field's name.
  private(set) var responseKeys: [Span: Symbol] = [:]
  private var paths = [PathKey(parent: 0, name: "")]
  private var fragments: [Symbol: FragmentDefinition] = [:]
  /// The fragments to walk, each with the path of its first spread.
  private var spreads: [(fragment: FragmentDefinition, path: Int)] = []
  private var spreadNames: Set<Symbol> = []
  private var definition = Symbol.empty
  /// The variables of the operation; `nil` in a fragment by itself, where any may be used.
  private var variables: [Symbol: VariableDefinition]? = [:]

  private init(schema: Schema) { self.schema = schema }

  /// Returns the uses by the operations of a document, and by the fragments that they spread.
  init(of document: Document, in schema: Schema) {
    self.init(schema: schema)
    for case .fragment(let fragment) in document.definitions {
      fragments[fragment.name.symbol] = fragment
    }
    for case .operation(let operation) in document.definitions { walk(operation) }
    walkSpreads()
  }

  /// Returns the uses by all definitions of a project's documents. Paths start at each definition.
  init(ofDefinitionsIn documents: [Document], schema: Schema) {
    self.init(schema: schema)
    for definition in documents.lazy.flatMap(\.definitions) {
      switch definition {
      case .operation(let operation): walk(operation)
      case .fragment(let fragment): (spreads, variables) = ([(fragment, 0)], nil)
      default: continue
      }
      walkSpreads()
    }
  }

  /// Returns the response path of a use, such as `viewer.name`; empty for the operation itself.
  func path(of use: Use) -> String {
    var (keys, index) = ([String](), use.path)
    while index != 0 {
      keys.append(paths[index].name)
      index = paths[index].parent
    }
    return keys.reversed().joined(separator: ".")
  }

  // MARK: Definitions

  private mutating func walk(_ operation: OperationDefinition) {
    definition = operation.name?.symbol ?? .empty
    variables = Dictionary(
      operation.variables.map { ($0.name.symbol, $0) }, uniquingKeysWith: { first, _ in first })
    let span = operation.name?.span ?? operation.span
    let place = Place(path: 0, span: span, extent: operation.span)
    add(.root(operation.operation), place)
    for variable in operation.variables { walk(variable) }
    walk(operation.directives, at: operation.operation.directiveLocation, path: 0)
    guard let root = schema.rootType(of: operation.operation) else { return }
    walk(operation.selectionSet, on: root, path: 0)
  }

  /// Walks the spread fragments in a loop: their number is not limited, unlike nesting.
  private mutating func walkSpreads() {
    var next = 0
    while next < spreads.count {
      let (fragment, path) = spreads[next]
      next += 1
      definition = fragment.name.symbol
      let name = fragment.typeCondition
      guard let type = schema.type(named: name.symbol) else { continue }
      add(.type(type.symbol), Place(path: path, span: name.span, extent: fragment.span))
      walk(fragment.directives, at: .fragmentDefinition, path: path)
      walk(fragment.selectionSet, on: type, path: path)
    }
    spreads = []
  }

  private mutating func walk(_ variable: VariableDefinition) {
    let name = schema.symbols[variable.name.symbol]
    let place = Place(
      path: path("$" + name, in: 0), span: variable.name.span, extent: variable.span)
    walk(variable.directives, at: .variableDefinition, path: place.path)
    guard let type = schema.resolve(variable.type) else { return }
    addSent(type.named, place)
    if let value = variable.defaultValue { walk(value, as: type, place) }
  }

  /// Adds everything that a variable may contain.
  private mutating func addSent(_ type: TypeID, _ place: Place) {
    var (types, next) = ([type], 0)
    var seen: Set = [type]
    while next < types.count {
      let type = schema[types[next]]
      next += 1
      add(.type(type.symbol), place)
      if type.kind == .enum { add(.sentEnum(type.symbol), place) }
      guard type.kind == .inputObject else { continue }
      add(.inputObject(type.symbol), place)
      for field in type.inputFields {
        add(.sentInputField(type: type.symbol, name: field.symbol), place)
        add(.omittedInputField(type: type.symbol, name: field.symbol), place)
        if seen.insert(field.type.named).inserted { types.append(field.type.named) }
      }
    }
  }
}

// MARK: Selections

extension OperationUses {
  /// The position of a use.
  private struct Place {
    let path: Int
    let span: Span
    let extent: Span
  }

  private mutating func add(_ element: ElementUse, _ place: Place, value: Value? = nil) {
    uses.append(
      Use(
        element: element, path: place.path, span: place.span, extent: place.extent,
        definition: definition, value: value))
  }

  private mutating func path(_ name: String, in parent: Int) -> Int {
    paths.append(PathKey(parent: parent, name: name))
    return paths.count - 1
  }

  private mutating func walk(_ set: SelectionSet, on parent: NamedType, path: Int) {
    for selection in set.selections {
      switch selection {
      case .field(let field): walk(field, on: parent, path: path)
      case .fragmentSpread(let spread):
        walk(spread.directives, at: .fragmentSpread, path: path)
        guard let fragment = fragments[spread.name.symbol] else { continue }
        let place = Place(path: path, span: spread.name.span, extent: spread.span)
        addCondition(fragment.typeCondition.symbol, on: parent, place)
        if spreadNames.insert(spread.name.symbol).inserted { spreads.append((fragment, path)) }
      case .inlineFragment(let fragment):
        walk(fragment.directives, at: .inlineFragment, path: path)
        guard let name = fragment.typeCondition else {
          walk(fragment.selectionSet, on: parent, path: path)
          continue
        }
        let place = Place(path: path, span: name.span, extent: fragment.span)
        addCondition(name.symbol, on: parent, place)
        guard let type = schema.type(named: name.symbol) else { continue }
        add(.type(type.symbol), place)
        walk(fragment.selectionSet, on: type, path: path)
      }
    }
  }

  private mutating func addCondition(_ type: Symbol, on parent: NamedType, _ place: Place) {
    if type != parent.symbol { add(.condition(parent: parent.symbol, type: type), place) }
  }

  private mutating func walk(_ field: Field, on parent: NamedType, path parentPath: Int) {
    guard let definition = schema.field(named: field.name.symbol, on: parent), !parent.isBuiltIn
    else { return }
    let path = path(schema.symbols[field.responseKey], in: parentPath)
    walk(field.directives, at: .field, path: path)
    if definition.symbol == .typename { return }
    let place = Place(path: path, span: field.name.span, extent: field.span)
    add(.field(type: parent.symbol, name: definition.symbol), place)
    responseKeys[field.name.span] = field.responseKey
    let type = schema[definition.type.named]
    if type.isBuiltIn, type.isComposite { return }
    add(.type(type.symbol), place)
    if type.kind == .enum { add(.receivedEnum(type.symbol), place) }
    if type.isAbstract { add(.receivedObject(type.symbol), place) }
    for argument in definition.arguments {
      let given = field.arguments.first { $0.name.symbol == argument.symbol }
      walk(given, of: argument, of: definition, on: parent, place)
    }
    if let set = field.selectionSet { walk(set, on: type, path: path) }
  }

  private mutating func walk(
    _ given: Argument?, of argument: SchemaInputValue, of field: SchemaField, on parent: NamedType,
    _ place: Place
  ) {
    let (owner, field, name) = (parent.symbol, field.symbol, argument.symbol)
    if given.map({ mayBeOmitted($0.value) }) ?? true {
      add(.omittedArgument(type: owner, field: field, name: name), place)
    }
    guard let given else { return }
    let place = Place(path: place.path, span: given.name.span, extent: given.span)
    add(.argument(type: owner, field: field, name: name), place, value: given.value)
    walk(given.value, as: argument.type, place)
  }

  /// Whether a value is a variable that a request may leave out.
  private func mayBeOmitted(_ value: Value) -> Bool {
    guard case .variable(let name) = value.kind else { return false }
    guard let variables else { return true }
    guard let variable = variables[name] else { return false }
    return !variable.type.shape.isNonNull && variable.defaultValue == nil
  }

  // MARK: Values and directives

  private mutating func walk(_ value: Value, as type: ResolvedType, _ place: Place) {
    let named = schema[type.named]
    switch value.kind {
    case .list(let items):
      for item in items { walk(item, as: type.item ?? type, place) }
    case .enumValue(let name) where named.kind == .enum:
      add(.type(named.symbol), place)
      add(
        .enumValue(type: named.symbol, name: name),
        Place(path: place.path, span: value.span, extent: value.span))
    case .object(let fields) where named.kind == .inputObject:
      add(.type(named.symbol), place)
      add(.inputObject(named.symbol), place)
      for field in named.inputFields {
        let given = fields.first { $0.name.symbol == field.symbol }
        if given.map({ mayBeOmitted($0.value) }) ?? true {
          add(.omittedInputField(type: named.symbol, name: field.symbol), place)
        }
        guard let given else { continue }
        let place = Place(path: place.path, span: given.name.span, extent: given.span)
        add(.inputField(type: named.symbol, name: field.symbol), place, value: given.value)
        walk(given.value, as: field.type, place)
      }
    default: add(.type(named.symbol), place)
    }
  }

  private mutating func walk(
    _ directives: [Directive], at location: DirectiveLocation, path: Int
  ) {
    for directive in directives {
      guard let definition = schema.directives[named: directive.name.symbol] else { continue }
      let name = definition.symbol
      let place = Place(path: path, span: directive.name.span, extent: directive.span)
      add(.directive(name, at: location), place)
      for argument in definition.arguments {
        let given = directive.arguments.first { $0.name.symbol == argument.symbol }
        if given.map({ mayBeOmitted($0.value) }) ?? true {
          add(.omittedDirectiveArgument(directive: name, name: argument.symbol), place)
        }
        guard let given else { continue }
        let place = Place(path: path, span: given.name.span, extent: given.span)
        add(
          .directiveArgument(directive: name, name: argument.symbol), place, value: given.value)
        walk(given.value, as: argument.type, place)
      }
    }
  }
}
