/// Relay's additions to GraphQL: directives that its compiler consumes, and client-only fields.
package enum RelayDirectives {
  /// Returns Relay's directives for a schema. Arguments with types missing from the schema are
  /// omitted.
  package static func directives(for schema: Schema) -> [SchemaDirective] {
    definitions(in: schema.symbols).compactMap { definition in
      guard case .directive(let directive) = definition else { return nil }
      return SchemaDirective(
        definition: directive, arguments: schema.resolve(directive.arguments), isBuiltIn: true)
    }
  }

  /// Returns the fields that Relay adds to every type.
  package static func fields(for schema: Schema) -> NamedList<SchemaField> {
    for case .type(let type) in definitions(in: schema.symbols) {
      return NamedList(
        type.fields.compactMap { field in
          schema.resolve(field.type).map {
            SchemaField(definition: field, type: $0, arguments: schema.resolve(field.arguments))
          }
        })
    }
    return NamedList()
  }

  /// Returns whether a fragment, rather than the directive, defines the directive's arguments.
  static func hasFragmentArguments(_ directive: Directive) -> Bool {
    isArguments(directive) || isArgumentDefinitions(directive)
  }

  /// Returns whether the directive is `@arguments`, which passes values to a fragment's variables.
  package static func isArguments(_ directive: Directive) -> Bool {
    directive.name.symbol == .arguments || directive.name.symbol == .uncheckedArguments
  }

  /// Returns whether the directive is `@argumentDefinitions`, which declares a fragment's
  /// variables.
  package static func isArgumentDefinitions(_ directive: Directive) -> Bool {
    directive.name.symbol == .argumentDefinitions
  }

  /// Returns whether the argument is the `label` of `@defer` or `@stream`. The compiler adds it,
  /// even if the schema requires it.
  static func isAddedByCompiler(_ argument: Symbol, of directive: Directive) -> Bool {
    let name = directive.name.symbol
    return (name == .defer || name == .stream) && argument == .label
  }

  /// Returns the variables that a fragment declares with `@argumentDefinitions`.
  package static func fragmentVariables(of fragment: FragmentDefinition, in schema: Schema)
    -> [FragmentVariable]
  {
    var variables: [FragmentVariable] = []
    for directive in fragment.directives where isArgumentDefinitions(directive) {
      for argument in directive.arguments {
        guard case .object(let fields) = argument.value.kind else { continue }
        var type: ResolvedType?
        var defaultValue: Value?
        var provider: String?
        for field in fields {
          switch (schema.symbols[field.name.symbol], field.value.kind) {
          case ("type", _):
            type = declaredType(field.value, in: schema.symbols).flatMap(schema.resolve)
          case ("defaultValue", _): defaultValue = field.value
          case ("provider", .string(let text, _)): provider = text
          default: continue
          }
        }
        variables.append(
          FragmentVariable(
            name: argument.name, type: type, defaultValue: defaultValue, provider: provider))
      }
    }
    return variables
  }

  /// Returns the type that a value in `@argumentDefinitions` denotes: `"[Int!]"` in quotes, or
  /// `Int` and `[Int]` without.
  ///
  /// - Returns: The type reference, or `nil` when the value does not spell a type. The type need
  ///   not exist.
  static func declaredType(_ value: Value, in symbols: SymbolTable) -> TypeReference? {
    switch value.kind {
    case .string(let text, _): TypeReference.parse(text, in: symbols)
    case .enumValue(let symbol): TypeReference(Name(symbol, span: value.span), span: value.span)
    case .list(let items) where items.count == 1:
      declaredType(items[0], in: symbols).flatMap { item in
        item.shape.list.map { TypeReference(item.name, shape: $0, span: value.span) }
      }
    default: nil
    }
  }

  /// Returns the name of the operation variable that carries a provider's value.
  package static func providedVariable(of provider: String) -> String {
    "__relay_internal__pv__" + provider.split(separator: ".").joined(separator: "_")
  }

  private static func definitions(in symbols: SymbolTable) -> [Definition] {
    Document.parse(builtIn: text, in: symbols).definitions
  }

  private static let text = """
    "Names the property of the fragment in generated code."
    directive @alias(as: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    "Appends the new edge to connections."
    directive @appendEdge(connections: [ID!]!) on FIELD
    "Appends the new object to connections, in an edge of the given type."
    directive @appendNode(connections: [ID!]!, edgeTypeName: String!) on FIELD
    "Declares variables of the fragment: `count: {type: \\"Int\\", defaultValue: 10}`."
    directive @argumentDefinitions on FRAGMENT_DEFINITION
    "Passes values to the variables that the fragment declares."
    directive @arguments on FRAGMENT_SPREAD
    "Lets updaters assign objects of this fragment to links."
    directive @assignable on FRAGMENT_DEFINITION
    "Reads errors in the field as null or as a result."
    directive @catch(to: CatchFieldTo! = RESULT)
      on FIELD | FRAGMENT_DEFINITION | QUERY | MUTATION | SUBSCRIPTION | INLINE_FRAGMENT
    "Collects the pages of the field in one list. `key` ends with `_` and the response key."
    directive @connection(
      key: String! filters: [String] handler: String dynamicKey_UNSTABLE: String
      prefetchable_pagination: Boolean = false
    ) on FIELD
    "Accepted without effect."
    directive @dangerously_unaliased_fixme on FRAGMENT_SPREAD | INLINE_FRAGMENT
    "Lets the server send the fragment in a later part of the response."
    directive @defer(
      label: String if: Boolean = true useCustomizedBatch: Boolean = false
    ) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @derived(fragment: String!) on FIELD_DEFINITION
    "Removes the objects with these ids from connections."
    directive @deleteEdge(connections: [ID!]!) on FIELD
    "Deletes the objects with these ids from the store."
    directive @deleteRecord on FIELD
    directive @exec_time_resolvers on QUERY
    directive @fetchable(field_name: String!) on OBJECT | INTERFACE
    directive @ignoreThrowOnFieldError
      on FIELD | FRAGMENT_DEFINITION | QUERY | MUTATION | SUBSCRIPTION
    "Reads the fragment with the object around it, as a struct instead of a reference."
    directive @inline on FRAGMENT_DEFINITION
    directive @live_query(polling_interval: Int config_id: String) on QUERY
    directive @match(key: String) on FIELD
    directive @module(name: String!) on FRAGMENT_SPREAD
    directive @noPersist
      on SCALAR | OBJECT | FIELD_DEFINITION | ARGUMENT_DEFINITION | INTERFACE | UNION | ENUM
        | INPUT_OBJECT | INPUT_FIELD_DEFINITION
    directive @no_inline(raw_response_type: Boolean = false) on FRAGMENT_DEFINITION
    directive @outputType on FIELD_DEFINITION
    directive @preloadable(hackPreloader: Boolean) on QUERY
    "Prepends the new edge to connections."
    directive @prependEdge(connections: [ID!]!) on FIELD
    "Prepends the new object to connections, in an edge of the given type."
    directive @prependNode(connections: [ID!]!, edgeTypeName: String!) on FIELD
    "Generates the type of the response, for optimistic responses."
    directive @raw_response_type on QUERY | MUTATION | SUBSCRIPTION
    "Generates a query that fetches the fragment again, with other variables."
    directive @refetchable(
      queryName: String! directives: [String] preferFetchable: Boolean
    ) on FRAGMENT_DEFINITION
    "`mask: false` on a spread reads its fields with the object around it."
    directive @relay(plural: Boolean mask: Boolean) on FRAGMENT_DEFINITION | FRAGMENT_SPREAD
    "Accepted without effect."
    directive @relay_test_operation on QUERY | MUTATION | SUBSCRIPTION
    "Makes the object null, or reading it an error, where the field is null."
    directive @required(action: RequiredFieldAction!) on FIELD
    directive @semanticNonNull(levels: [Int!] = [0]) on FIELD_DEFINITION
    "Lets the server send the list in several parts."
    directive @stream(
      label: String initialCount: Int = 0 initial_count: Int = 0 if: Boolean = true
      useCustomizedBatch: Boolean = false use_customized_batch: Boolean = false
    ) on FIELD
    directive @stream_connection(
      key: String! filters: [String] handler: String label: String initialCount: Int = 0
      initial_count: Int = 0 if: Boolean = true use_customized_batch: Boolean = false
      dynamicKey_UNSTABLE: String prefetchable_pagination: Boolean = false
    ) on FIELD
    "Makes reading fail where a field has an error."
    directive @throwOnFieldError on FRAGMENT_DEFINITION | QUERY | MUTATION | SUBSCRIPTION | FIELD
    directive @uncheckedArguments_DEPRECATED on FRAGMENT_SPREAD
    directive @unmasked on FRAGMENT_SPREAD
    "Generates setters, for updaters of the store."
    directive @updatable on FRAGMENT_DEFINITION | QUERY
    directive @waterfall on FIELD

    type __RelayFields {
      __id: ID!
      __token: String
      __fetchToken: String
      is_fulfilled__(name: String!): String
    }
    """
}

extension FragmentSpread {
  /// The arguments that Relay's `@arguments` passes to the fragment.
  package var passedArguments: [Argument] {
    directives.isEmpty
      ? [] : directives.filter(RelayDirectives.isArguments).flatMap(\.arguments)
  }
}
