import GraphQLLanguage
import RelayCompiler

/// The Swift file with a missing field handler for each `@fieldPolicy`.
struct FieldPolicyFile {
  static let fileName = "FieldPolicies.swift"

  /// The handlers as Swift code; empty if no policy has one.
  private(set) var handlers: [String] = []
  private(set) var notes: [MigrationNote] = []
  private let schema: Schema
  private let keyFields: [String: [String]]

  init(_ policies: [ApolloSchema.FieldPolicy], schema: Schema, keyFields: [String: [String]]) {
    self.schema = schema
    self.keyFields = keyFields
    for policy in policies { add(policy) }
  }

  /// The contents of the file.
  func text(access: String) -> String {
    let modifier = access == "public" ? "public " : ""
    return """
      import RelayStore

      /// The handlers that find objects by a field's arguments, made of the directives
      /// `@fieldPolicy`.
      ///
      ///     RecordStore.Configuration(missingFieldHandlers: FieldPolicies.handlers)
      \(modifier)nonisolated enum FieldPolicies {
        \(modifier)static let handlers: [MissingFieldHandler] = [
      \(handlers.joined(separator: ",\n"))
        ]
      }

      """
  }

  private mutating func add(_ policy: ApolloSchema.FieldPolicy) {
    let subject = "@fieldPolicy(forField: \"\(policy.field)\") on \(policy.type)"
    let symbols = schema.symbols
    guard let parent = schema.type(named: policy.type),
      let field = parent.fields[named: symbols.intern(policy.field)],
      schema[field.type.named].isComposite
    else {
      return notes.add(
        .manual, at: policy.place, of: subject, "The type has no such object field.")
    }
    let isList = field.type.isList
    guard !isList || policy.arguments.count == 1 else {
      return notes.add(
        .manual, at: policy.place, of: subject,
        "A list of objects with several keys each: write a `MissingFieldHandler.pluralLinked`.")
    }
    let type = schema[field.type.named]
    guard let id = identifier(of: type, count: policy.arguments.count) else {
      return notes.add(
        .manual, at: policy.place, of: subject,
        advice(on: type, arguments: policy.arguments.count, isList: isList))
    }
    notes.add(
      .mapped, at: policy.place, of: subject,
      "A handler in \(Self.fileName). Pass `FieldPolicies.handlers` as `missingFieldHandlers` of `RecordStore.Configuration`."
    )
    let condition =
      parent === schema.queryType
      ? "field.parentID == .root" : "field.parentTypeName == \(SwiftEscaping.literal(policy.type))"
    handlers.append(
      isList
        ? listHandler(policy, condition: condition, id: id)
        : handler(policy, condition: condition, id: id))
  }

  /// Returns why the ids of a field's objects cannot be computed from the arguments, and what to
  /// write instead.
  private func advice(on type: NamedType, arguments: Int, isList: Bool) -> String {
    let fields = keyFields(of: type)
    guard type.kind == .object, fields != nil || arguments > 1 else {
      return
        "The object's type, and so the key, is not known before it is read: write a `MissingFieldHandler` that tries `DataID(typeName:keys:)` with `isPresent` for each type."
    }
    let keys =
      fields.map { "\($0.count.counted("key field")) (\($0.joined(separator: ", ")))" }
      ?? "the key `id` alone"
    let handler = isList ? "MissingFieldHandler.pluralLinked" : "MissingFieldHandler"
    return
      "\(MigrationNote.code(schema.name(of: type.id))) has \(keys), and the policy names \(arguments.counted("argument")): write a `\(handler)` that makes `DataID(typeName:keys:)` of the values you have."
  }

  /// The key fields of a type or of one of its interfaces; `nil` if neither has any.
  private func keyFields(of type: NamedType) -> [String]? {
    keyFields[schema.name(of: type.id)]
      ?? type.interfaces.lazy.compactMap { keyFields[schema.name(of: $0)] }.first
  }

  /// Returns the Swift expression for an object's id, in terms of `keys`.
  ///
  /// - Parameter count: The number of arguments.
  private func identifier(of type: NamedType, count: Int) -> String? {
    let name = schema.name(of: type.id)
    if let fields = keyFields(of: type) {
      guard type.kind == .object, fields.count == count else { return nil }
      return "DataID(typeName: \(SwiftEscaping.literal(name)), keys: KEYS)"
    }
    // For an interface or union, the object's concrete type decides whether it has key fields.
    let hasKeys = schema.possibleTypes(of: type).contains {
      keyFields[schema.name(of: $0)] != nil
    }
    return hasKeys || count != 1 ? nil : "DataID(KEY)"
  }

  private func handler(_ policy: ApolloSchema.FieldPolicy, condition: String, id: String) -> String
  {
    let names = policy.arguments.indices.map { "key\($0)" }
    let bindings = zip(names, policy.arguments).map { name, path in
      "        let \(name) = \(Self.key(of: Self.argument(path)))"
    }
    let value = id.replacing("KEYS", with: "[\(names.joined(separator: ", "))]")
      .replacing("KEY", with: "key0")
    return """
          .linked { field in
            guard \(condition), field.name == \(SwiftEscaping.literal(policy.field)),
      \(bindings.joined(separator: ",\n"))
            else { return .none }
            return .some(\(value))
          }
      """
  }

  private func listHandler(_ policy: ApolloSchema.FieldPolicy, condition: String, id: String)
    -> String
  {
    let value = id.replacing("KEYS", with: "[key]").replacing("KEY", with: "key")
    return """
          .pluralLinked { field in
            guard \(condition), field.name == \(SwiftEscaping.literal(policy.field)),
              let list = \(Self.argument(policy.arguments[0]))?.array
            else { return .none }
            let keys = list.compactMap { \(Self.key(of: "$0", isOptional: false)) }
            guard keys.count == list.count else { return .none }
            return .some(keys.map { key in \(value) })
          }
      """
  }

  /// The expression for an argument's value: `field.arguments["input"]?["isbn"]`.
  private static func argument(_ path: [String]) -> String {
    "field.arguments" + path.map { "[\(SwiftEscaping.literal($0))]" }.joined(separator: "?")
  }

  /// The expression for a key; a number becomes its digits.
  private static func key(of value: String, isOptional: Bool = true) -> String {
    let value = isOptional ? value + "?" : value
    return "\(value).string ?? \(value).numeric?.digits"
  }
}
