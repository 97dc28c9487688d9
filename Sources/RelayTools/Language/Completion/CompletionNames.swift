import GraphQLLanguage
import RelayCompiler

/// The existing names for each kind of position.
struct CompletionNames {
  let language: LanguageContext
  let fragments: Set<Symbol>
  /// The range of the word that they replace.
  let range: FileRange
  let snippets: CompletionSnippets

  var text: ElementDescriptions { ElementDescriptions(language) }
  var schema: Schema { language.schema }
  var symbols: SymbolTable { language.symbols }

  /// Returns the names that fit a placeholder occurrence.
  func completions(
    for occurrence: Occurrence, in definition: Definition?, isAfterDollar: Bool
  ) -> [Completion] {
    let given = Set(occurrence.list.names)
    return switch occurrence.element {
    case .type:
      types(for: occurrence, in: definition)
    case _ where occurrence.isDefinition: []
    case .field: fields(on: occurrence.parent)
    case .fragment: spreads(on: occurrence.parent, in: definition)
    case .argument(_, let field, _):
      inputs(
        occurrence.parent.flatMap { language.field(named: field, on: $0) }?.arguments,
        kind: .argument, except: given)
    case .directiveArgument(let directive, _): arguments(of: directive, except: given)
    case .inputField:
      inputs(occurrence.parent?.inputFields, kind: .inputField, except: given)
    case .fragmentVariable(let fragment, _) where !isAfterDollar:
      variables(of: fragment, except: given)
    case .directive: directives(for: occurrence, in: definition)
    case .enumValue where !occurrence.names.isEmpty:
      occurrence.names.map {
        Completion(label: $0, kind: .enumValue, range: range)
      }
    case .enumValue:
      values(of: occurrence.type, in: occurrence.isConstant ? nil : definition)
    case .variable, .fragmentVariable:
      occurrence.isConstant ? [] : variables(in: definition, for: occurrence.type, sign: "")
    case .operation, .alias: []
    }
  }

  /// Returns keywords.
  func keywords(_ words: [String]) -> [Completion] {
    words.map { Completion(label: $0, kind: .keyword, range: range) }
  }

  func completion(
    _ name: Symbol, _ kind: Completion.Kind, detail: String,
    _ entry: ElementDescriptions.Entry? = nil, _ snippet: Snippet? = nil
  ) -> Completion {
    let name = symbols[name]
    return Completion(
      label: name, kind: kind, detail: detail,
      documentation: entry.map(text.documentation) ?? "",
      isDeprecated: entry.map { text.deprecation(in: $0.directives) != nil } ?? false,
      range: range, snippet: snippet)
  }

  private func fields(on parent: NamedType?) -> [Completion] {
    guard let parent else { return [] }
    var fields = parent.fields.map { field in
      completion(
        field.symbol, .field, detail: schema.text(of: field.type),
        text.entry(of: field, on: parent), snippets.field(field))
    }
    // Deprecated fields come last.
    fields = fields.filter { !$0.isDeprecated } + fields.filter(\.isDeprecated)
    let id = Completion(
      label: "__id", kind: .field, detail: "ID!", documentation: "The record's id in the store.",
      range: range)
    return fields + [
      Completion(
        label: "__typename", kind: .field, detail: "String!", range: range),
      id,
    ]
  }

  private func spreads(on parent: NamedType?, in definition: Definition?) -> [Completion] {
    var own: Symbol?
    if case .fragment(let fragment) = definition { own = fragment.name.symbol }
    let found = fragments.compactMap { name -> Completion? in
      if name == own { return nil }
      guard let fragment = language.fragment(name),
        let type = language.composite(fragment.typeCondition.symbol)
      else { return nil }
      if let parent, !schema.doTypesOverlap(parent, type) { return nil }
      return completion(
        name, .fragment, detail: "on " + symbols[type.symbol], text.entry(of: fragment),
        snippets.spread(of: fragment))
    }
    return found.sorted { naturallyPrecedes($0.label, $1.label) } + keywords(["on"])
  }

  private func types(
    for occurrence: Occurrence, in definition: Definition?
  ) -> [Completion] {
    let found = schema.types.filter { type in
      if symbols[type.symbol].hasPrefix("__") { return false }
      switch occurrence.place {
      case .input: return type.isInput
      case .output: return type.kind != .inputObject
      case .kind(let kind): return type.kind == kind
      case .new: return false
      case nil:
        guard type.isComposite else { return false }
        return occurrence.parent.map { schema.doTypesOverlap($0, type) } ?? true
      }
    }
    let names = Set(found.map { symbols[$0.symbol] })
    let isSchema = occurrence.place != nil && definition?.isExecutable == false
    // A schema's types include built-in scalars only if it uses them.
    let others = isSchema && names.contains("Boolean") ? Self.builtInScalars.subtracting(names) : []
    return
      (found.map { type in
        completion(type.symbol, .type, detail: type.kind.keyword, text.entry(of: type))
      }
      + others.map {
        Completion(label: $0, kind: .type, detail: "scalar", range: range)
      }).sorted { naturallyPrecedes($0.label, $1.label) }
  }

  private static let builtInScalars: Set<String> = ["Boolean", "Float", "ID", "Int", "String"]

  /// Returns arguments or input fields, without the ones already given.
  private func inputs(
    _ values: NamedList<SchemaInputValue>?, kind: Completion.Kind, except given: Set<Symbol>
  ) -> [Completion] {
    (values?.elements ?? []).filter { !given.contains($0.symbol) }.map { value in
      completion(
        value.symbol, kind, detail: schema.text(of: value.type), text.entry(of: value),
        snippets.argument(value.symbol))
    }
  }

  private func arguments(of directive: Symbol, except given: Set<Symbol>) -> [Completion] {
    guard let directive = language.directive(named: directive) else { return [] }
    // Arguments whose type exists only in Relay.
    let others = directive.definition.arguments.filter { argument in
      directive.arguments[named: argument.name.symbol] == nil
        && !given.contains(argument.name.symbol)
    }
    return inputs(directive.arguments, kind: .argument, except: given)
      + others.map {
        completion(
          $0.name.symbol, .argument, detail: symbols.text(of: $0.type), nil,
          snippets.argument($0.name.symbol))
      }
  }

  private func variables(of fragment: Symbol, except given: Set<Symbol>) -> [Completion] {
    language.fragmentVariables(of: fragment).filter {
      $0.provider == nil && !given.contains($0.name.symbol)
    }.map { variable in
      completion(
        variable.name.symbol, .argument,
        detail: variable.type.map { schema.text(of: $0) } ?? "", nil,
        snippets.argument(variable.name.symbol))
    }
  }

  private func values(of type: ResolvedType?, in definition: Definition?) -> [Completion] {
    let named = type.map { schema[$0.named] }
    let values = (named?.enumValues.elements ?? []).map { value in
      let type = named?.symbol ?? .empty
      return completion(
        value.symbol, .enumValue, detail: symbols[type], text.entry(of: value, on: type))
    }
    let isBoolean = named.map { symbols[$0.symbol] == "Boolean" } ?? false
    return values + (isBoolean ? keywords(["true", "false"]) : [])
      + variables(in: definition, for: type, sign: "$")
      + (type?.isNonNull == false ? keywords(["null"]) : [])
  }

  /// Returns the variables that a definition declares with a compatible type.
  private func variables(
    in definition: Definition?, for type: ResolvedType?, sign: String
  ) -> [Completion] {
    let declared: [(name: Symbol, type: ResolvedType?)] =
      switch definition {
      case .operation(let operation):
        operation.variables.map { ($0.name.symbol, schema.resolve($0.type)) }
      case .fragment(let fragment):
        RelayDirectives.fragmentVariables(of: fragment, in: schema).map {
          ($0.name.symbol, $0.type)
        }
      default: []
      }
    return declared.filter { variable in
      guard let type, let own = variable.type else { return true }
      return schema.isSubtype(own, of: type) || schema.isSubtype(own.nonNull, of: type)
    }.map { variable in
      let name = sign + symbols[variable.name]
      return Completion(
        label: name, kind: .variable, detail: variable.type.map { schema.text(of: $0) } ?? "",
        range: range)
    }
  }
}
