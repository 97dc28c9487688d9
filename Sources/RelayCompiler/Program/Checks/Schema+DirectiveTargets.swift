import GraphQLLanguage

/// The fields and types that Relay's directives are for.
extension Schema {
  /// Whether a field's type is one object or interface, as a connection's must be.
  func mayBeConnection(_ type: ResolvedType) -> Bool {
    !type.isList && [.object, .interface].contains(self[type.named].kind)
  }

  /// Whether fields of a type can have `@connection`, with the arguments that paging needs.
  package func isConnection(_ type: ResolvedType) -> Bool {
    mayBeConnection(type) && connectionProblem(of: self[type.named], arguments: []) == nil
  }

  /// Returns the first reason why a type is not a connection type; `nil` if it is one.
  ///
  /// - Parameter arguments: The names of the field's arguments that are not null.
  func connectionProblem(of type: NamedType, arguments: Set<String>) -> String? {
    let name = name(of: type.id)
    guard let edge = target(of: "edges", in: type, isList: true), edge.isComposite else {
      return "\"\(name)\" has no list of objects \"edges\""
    }
    let edgeName = self.name(of: edge.id)
    guard target(of: "node", in: edge)?.isComposite == true else {
      return "\"\(edgeName)\" has no object \"node\""
    }
    guard target(of: "cursor", in: edge)?.isLeaf == true else {
      return "\"\(edgeName)\" has no scalar \"cursor\""
    }
    guard let info = target(of: "pageInfo", in: type), info.isComposite else {
      return "\"\(name)\" has no object \"pageInfo\""
    }
    let needed =
      (arguments.contains("first") ? ["endCursor", "hasNextPage"] : [])
      + (arguments.contains("last") ? ["startCursor", "hasPreviousPage"] : [])
    let missing = needed.first { target(of: $0, in: info)?.isLeaf != true }
    return missing.map { "\"\(self.name(of: info.id))\" has no scalar \"\($0)\"" }
  }

  /// Returns the named type of a field. Returns `nil` if there is no such field, or if it is a list
  /// and `isList` is false, or the reverse.
  private func target(of name: String, in type: NamedType, isList: Bool = false) -> NamedType? {
    guard let field = type.field(named: symbols.intern(name)), field.type.isList == isList else {
      return nil
    }
    return self[field.type.named]
  }

  /// Returns what a mutation directive is for, if that is not the type of its field; `nil` if the
  /// type fits.
  package func expectation(of directive: String, on type: NamedType) -> String? {
    switch directive {
    case "appendEdge", "prependEdge":
      let hasFields = ["cursor", "node"].allSatisfy {
        type.field(named: symbols.intern($0)) != nil
      }
      return hasFields ? nil : "an edge with the fields \"cursor\" and \"node\""
    case "appendNode", "prependNode": return type.isComposite ? nil : "an object"
    default:
      let isID = name(of: type.id) == "ID" || type.kind == .scalar && !type.isBuiltIn
      return isID ? nil : "\"ID\", a scalar that ids have, or a list of them"
    }
  }
}
