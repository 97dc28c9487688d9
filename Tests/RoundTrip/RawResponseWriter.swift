/// A writer of Swift statements that build an optimistic response equal to the server's response.
struct RawResponseWriter {
  let structs: GeneratedStructs
  let model: ResponseModel

  /// The statements already written, in order.
  private(set) var lines: [String] = []
  private var schema: SchemaModel { model.schema }
  private var count = 0

  init(structs: GeneratedStructs, model: ResponseModel) {
    self.structs = structs
    self.model = model
  }

  /// Writes statements that build the struct or enum case of an object.
  ///
  /// - Returns: The name of the constant with the value.
  mutating func build(
    _ path: String, node: ResponseModel.Node, _ selections: [ResponseModel.Scoped]
  ) throws -> String {
    let collected = model.collect(selections, type: node.type, opensSpreads: true)
    guard let type = structs.structs[path] else {
      throw InitializerWriter.Problem.unexpected("\(path) is not generated")
    }
    let (name, parameters) = try initializer(of: type, path, node)
    var arguments: [String] = []
    for parameter in parameters {
      guard let value = try argument(parameter, of: path, node: node, collected) else { continue }
      arguments.append(parameter.isUnlabelled ? value : "\(parameter.name): \(value)")
    }
    let hasNoParameters = parameters.isEmpty && !type.cases.isEmpty
    count += 1
    lines.append(
      "let r\(count): \(path) = \(path)\(name)"
        + (hasNoParameters ? "" : "(\(arguments.joined(separator: ", ")))"))
    return "r\(count)"
  }

  /// The enum case for the type of `node`, or the initializer of a struct, with its parameters.
  private func initializer(
    of type: GeneratedStructs.Struct, _ path: String, _ node: ResponseModel.Node
  ) throws -> (name: String, parameters: [GeneratedStructs.Parameter]) {
    guard !type.cases.isEmpty else { return ("", type.members ?? []) }
    model.markReached("case of an optimistic response")
    var best: (name: String, count: Int)?
    for name in type.cases.keys.sorted() where name != "other" {
      let types = name.split(separator: "And").map { name in
        name.prefix(1).uppercased() + name.dropFirst()
      }
      guard types.allSatisfy({ schema.possible($0).contains(node.type) }) else { continue }
      let count = types == [node.type] ? .max : types.count
      if count > best?.count ?? 0 { best = (name, count) }
    }
    let name = best?.name ?? "other"
    guard let parameters = type.cases[name] else {
      throw InitializerWriter.Problem.unexpected("\(path) has no case for \(node.type)")
    }
    return ("." + name, parameters)
  }

  private mutating func argument(
    _ parameter: GeneratedStructs.Parameter, of path: String, node: ResponseModel.Node,
    _ collected: ResponseModel.Collected
  ) throws -> String? {
    if parameter.name == "__typename" { return ".init(__name: \"\(node.type)\")" }
    if parameter.name == "id" { return "\"\(node.id)\"" }
    let name = parameter.name
    let isReserved = collected.fields[name] == nil && name.hasSuffix("_")
    guard let field = collected.fields[isReserved ? String(name.dropLast()) : name] else {
      guard parameter.type.hasSuffix("?") || parameter.type.hasPrefix("GraphQLNullable<") else {
        throw InitializerWriter.Problem.unexpected("\(path) requires \(name)")
      }
      return nil
    }
    let value = model.value(of: field.name, in: node)
    return try expression(value, type: parameter.type, in: path, field.inner)
  }

  private mutating func expression(
    _ value: ResponseModel.Value, type: String, in path: String,
    _ selections: [ResponseModel.Scoped]
  ) throws -> String {
    if type.hasSuffix("?") {
      if case .null = value { return "nil" }
      return try expression(value, type: String(type.dropLast()), in: path, selections)
    }
    if type.hasPrefix("GraphQLNullable<") {
      if case .null = value { return ".null" }
      let inner = String(type.dropFirst("GraphQLNullable<".count).dropLast())
      return ".some(" + (try expression(value, type: inner, in: path, selections)) + ")"
    }
    switch value {
    case .null:
      throw InitializerWriter.Problem.unexpected("\(path) has no optional \(type) for a null")
    case .leaf(_, let swift): return swift.hasPrefix("(") ? type + swift : swift
    case .object(let node):
      guard let name = structs.resolve(type, in: path) else {
        throw InitializerWriter.Problem.unexpected(
          "\(path) refers to \(type), which is not generated")
      }
      return try build(name, node: node, selections)
    case .list(let items):
      guard type.hasPrefix("GraphQLList<") else {
        throw InitializerWriter.Problem.unexpected("\(path) has \(type) for a list")
      }
      let inner = String(type.dropFirst("GraphQLList<".count).dropLast())
      let values = try items.map { try expression($0, type: inner, in: path, selections) }
      return "[" + values.joined(separator: ", ") + "]"
    }
  }
}
