/// A writer of Swift statements that build, with initializers, the value that the store should read
/// from a response.
struct InitializerWriter {
  enum Problem: Error {
    /// No type condition of the struct implies all the others that hold. Such a value can only be
    /// read from a store.
    case notBuildable
    /// The generated code does not agree with the documents.
    case unexpected(String)
  }

  let structs: GeneratedStructs
  let model: ResponseModel

  /// The statements already written, in order.
  private(set) var lines: [String] = []
  /// The references to masked fragments that were encountered and still have to be read.
  private(set) var references: [Reference] = []

  /// A masked fragment of an object.
  struct Reference {
    let fragment: String
    let node: ResponseModel.Node
    let locals: [String: Bool]
    /// The Swift expression of the reference.
    let text: String
  }

  private var schema: SchemaModel { model.schema }
  private var count = 0
  private var checked: [String: Int] = [:]

  init(structs: GeneratedStructs, model: ResponseModel) {
    self.structs = structs
    self.model = model
  }

  private func reference(
    _ spread: ResponseModel.Spread, _ node: ResponseModel.Node
  ) -> Reference {
    let values = model.variables.merging(spread.locals) { $1 }.sorted { $0.key < $1.key }
      .map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
    return Reference(
      fragment: spread.name, node: node, locals: spread.locals,
      text: "FragmentRef<\(spread.name)>(id: \"\(node.id)\", variables: [\(values)])")
  }

  /// Writes statements that build the struct of an object.
  ///
  /// - Returns: The name of the constant with the value.
  mutating func build(
    _ path: String, node: ResponseModel.Node, _ selections: [ResponseModel.Scoped]
  ) throws -> String {
    let collected = model.collect(selections, type: node.type, opensSpreads: false)
    let view = try view(of: path, type: node.type)
    var name = try construct(view.path.last ?? path, node: node, collected)
    // A type condition's view is wrapped in its parents' initializers, innermost first.
    for (position, label) in view.labels.enumerated().reversed() {
      let parent = view.path[position]
      name = constant(parent, "\(parent)(\(label): \(name))")
    }
    return name
  }

  // MARK: Type conditions

  private struct View {
    /// The names of the nested structs, from the object's own struct to the view.
    var path: [String]
    /// The labels of the initializers that lead to the view.
    var labels: [String] = []
    /// The type conditions on the way to the view.
    var types: [String] = []
  }

  /// Returns the view whose type conditions imply all others that hold for `type`.
  ///
  /// - Throws: ``Problem/notBuildable`` if there is none.
  private mutating func view(of path: String, type: String) throws -> View {
    var holding = [View(path: [path])]
    var next = 0
    while next < holding.count {
      let outer = holding[next]
      next += 1
      for parameter in structs.structs[outer.path.last ?? ""]?.views ?? [] {
        let condition = String(parameter.type.dropFirst(2))
        guard schema.possible(condition).contains(type) else { continue }
        var inner = outer
        inner.path.append((outer.path.last ?? "") + "." + parameter.type)
        inner.labels.append(parameter.label)
        inner.types.append(condition)
        holding.append(inner)
      }
    }
    // The compiler can derive the other conditions only if the innermost type is concrete.
    let best = holding.last { view in
      holding.allSatisfy { other in
        other.types.allSatisfy { outer in view.types.contains { isSubtype($0, of: outer) } }
      }
    }
    guard let best else { throw Problem.notBuildable }
    markReached(best, of: path)
    return best
  }

  private func markReached(_ view: View, of path: String) {
    if let type = view.types.last {
      model.markReached(schema.isAbstract(type) ? "abstract condition" : "concrete condition")
      if view.types.count > 1 { model.markReached("nested condition") }
    } else if structs.structs[path]?.views.isEmpty == false {
      model.markReached("no condition holds")
    }
  }

  private func isSubtype(_ type: String, of other: String) -> Bool {
    if type == other { return true }
    if schema.unions[type] != nil { return false }
    if schema.interfaces[type] != nil { return false }
    return schema.possible(other).contains(type)
  }

  // MARK: Values

  private mutating func construct(
    _ path: String, node: ResponseModel.Node, _ collected: ResponseModel.Collected
  ) throws -> String {
    guard let parameters = structs.structs[path]?.members else {
      throw Problem.unexpected("\(path) has no memberwise initializer")
    }
    var arguments: [String] = []
    var checks: [(member: String, value: String)] = []
    for parameter in parameters {
      let argument = try argument(parameter, of: path, node: node, collected)
      arguments.append("\(parameter.name): \(argument.value)")
      checks.append((argument.member, argument.value))
    }
    let name = constant(path, "\(path)(\(arguments.joined(separator: ", ")))")
    // Each property is compared for its first two values only, to keep compile times short.
    for check in checks where isNew(path + "." + check.member) {
      lines.append(
        "expectEqual(\(name).\(check.member), \(check.value), at: \"\(path).\(check.member)\")")
    }
    return name
  }

  private mutating func isNew(_ member: String) -> Bool {
    checked[member, default: 0] += 1
    return checked[member, default: 0] <= 2
  }

  private mutating func argument(
    _ parameter: GeneratedStructs.Parameter, of path: String, node: ResponseModel.Node,
    _ collected: ResponseModel.Collected
  ) throws -> (member: String, value: String) {
    if let fragment = fragment(of: parameter) {
      let value = try spread(
        fragment, for: parameter, of: path, node: node, collected: collected)
      return ("fragments.\(parameter.name)", value)
    }
    let key = key(of: parameter.name, in: path, collected)
    guard let field = collected.fields[key] else {
      if key == "__typename" { return (key, "\"\(node.type)\"") }
      guard parameter.type.hasSuffix("?") else {
        throw Problem.unexpected("\(path) requires \(parameter.label)")
      }
      model.markReached("field omitted")
      return (parameter.name, "nil")
    }
    if key.hasPrefix("also_") { model.markReached("alias") }
    let value = model.value(of: field.name, in: node)
    return (
      parameter.name, try expression(value, type: parameter.type, in: path, field.inner)
    )
  }

  /// The name of the fragment whose spread `parameter` is for; `nil` for a field.
  private func fragment(of parameter: GeneratedStructs.Parameter) -> String? {
    let type = parameter.type.hasSuffix("?") ? String(parameter.type.dropLast()) : parameter.type
    if type.hasPrefix("FragmentRef<") { return String(type.dropFirst(12).dropLast()) }
    return model.documents.fragment(type)?.name
  }

  private mutating func spread(
    _ fragment: String, for parameter: GeneratedStructs.Parameter, of path: String,
    node: ResponseModel.Node, collected: ResponseModel.Collected
  ) throws -> String {
    let isOptional = parameter.type.hasSuffix("?")
    let spread = collected.spreads.first { $0.property == parameter.name }
    if isOptional { model.markReached(spread == nil ? "spread omitted" : "conditional spread") }
    guard let spread else {
      if !isOptional { throw Problem.unexpected("\(path) requires \(fragment)") }
      return "nil"
    }
    if parameter.name.hasPrefix("al_") { model.markReached("renamed spread") }
    guard parameter.type.hasPrefix("FragmentRef<") else {
      model.markReached("inline fragment")
      let selections = model.documents.fragment(fragment)?.selections ?? []
      return try build(fragment, node: node, model.scoped(selections, spread.locals))
    }
    model.markReached("spread")
    let reference = reference(spread, node)
    references.append(reference)
    return reference.text
  }

  /// The response key of a parameter: its name without the underscore appended to a reserved name.
  private func key(of name: String, in path: String, _ collected: ResponseModel.Collected) -> String
  {
    if collected.fields[name] == nil, name.hasSuffix("_"), name != "__typename" {
      return String(name.dropLast())
    }
    return name
  }

  private mutating func expression(
    _ value: ResponseModel.Value, type: String, in path: String,
    _ selections: [ResponseModel.Scoped]
  ) throws -> String {
    let full = try fullType(type, in: path)
    if type.hasSuffix("?") {
      if case .null = value { return "nil" }
      return try expression(value, type: String(type.dropLast()), in: path, selections)
    }
    switch value {
    case .null: throw Problem.unexpected("\(path) has no optional \(type) for a null")
    case .leaf(_, let swift): return swift.hasPrefix("(") ? full + swift : swift
    case .object(let node):
      guard let name = structs.resolve(type, in: path) else {
        throw Problem.unexpected("\(path) refers to \(type), which is not generated")
      }
      return try build(name, node: node, selections)
    case .list(let items):
      guard type.hasPrefix("GraphQLList<") else {
        throw Problem.unexpected("\(path) has \(type) for a list")
      }
      let inner = String(type.dropFirst("GraphQLList<".count).dropLast())
      let values = try items.map { try expression($0, type: inner, in: path, selections) }
      return "[" + values.joined(separator: ", ") + "]"
    }
  }

  /// The type `type` with the fully qualified names of generated structs.
  private func fullType(_ type: String, in path: String) throws -> String {
    if type.hasSuffix("?") { return try fullType(String(type.dropLast()), in: path) + "?" }
    if type.hasPrefix("GraphQLList<") {
      let inner = String(type.dropFirst("GraphQLList<".count).dropLast())
      return "GraphQLList<" + (try fullType(inner, in: path)) + ">"
    }
    return structs.resolve(type, in: path) ?? type
  }

  private mutating func constant(_ type: String, _ value: String) -> String {
    count += 1
    lines.append("let v\(count): \(type) = \(value)")
    return "v\(count)"
  }
}
