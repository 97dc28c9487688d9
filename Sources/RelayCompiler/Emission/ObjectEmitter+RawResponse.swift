import GraphQLLanguage

/// The types of optimistic responses: a struct for each object, or an enum when type conditions
/// distinguish cases.
extension ObjectEmitter {
  /// Returns the names of the nested types by slot. They are all declared directly in the object's
  /// type.
  func rawResponseStructs() -> [String?] {
    var taken: Set<String> = []
    var result = structs
    for (index, slot) in layout.slots.enumerated() {
      guard case .field(let field) = slot.content, !field.selections.isEmpty else { continue }
      let type = schema.name(of: field.type.named)
      let key = types.text(field.responseKey)
      var name = SwiftName.nested(type: type, responseKey: key, taken: [])
      if taken.contains(name) {
        name = SwiftName.upperFirst(schema.name(of: layout.scopes[slot.scope].type)) + "_" + name
      }
      name = SwiftName.free(name, taken: taken, others: names.inTypes)
      taken.insert(name)
      result[index] = name
    }
    return result
  }

  /// Returns the members of a scope's struct. The members of an optimistic response are sorted by
  /// name, `id` first, so that a field added to a fragment does not move the others.
  ///
  /// An optimistic response can select a linked field under several type conditions. Each condition
  /// that no other one implies becomes a separate member, because none of them selects all fields
  /// of the others.
  func members(of scope: Int) -> [ObjectLayout.Member] {
    let members = layout.members(of: scope)
    if purpose == .reading { return members }
    let separate = members.flatMap { member -> [ObjectLayout.Member] in
      if member.others.isEmpty || structs[member.slot] == nil { return [member] }
      let group = member.all
      let scopes = group.map { layout.slots[$0].scope }
      let tops = group.indices.filter { index in
        !group.indices.contains { other in
          other != index && layout.implies(scopes[other], scopes[index])
            && (other < index || !layout.implies(scopes[index], scopes[other]))
        }
      }
      return tops.count > 1 ? tops.map { ObjectLayout.Member(slot: group[$0]) } : [member]
    }
    return sortedByName(separate)
  }

  private func sortedByName(_ members: [ObjectLayout.Member]) -> [ObjectLayout.Member] {
    let keyed = members.enumerated().map { offset, member -> (Int, String, Int) in
      guard case .field(let field) = layout.slots[member.slot].content else {
        return (2, "", offset)
      }
      return (field.responseKey == .idField ? 0 : 1, types.text(field.responseKey), offset)
    }
    let sorted = keyed.sorted { left, right in
      if left.0 != right.0 { return left.0 < right.0 }
      return left.1 == right.1
        ? left.2 < right.2 : left.1.utf8.lexicographicallyPrecedes(right.1.utf8)
    }
    return sorted.map { members[$0.2] }
  }

  func emitRawResponseMembers(to printer: inout SwiftPrinter) {
    let scopes = cases.isEmpty ? [0] : cases.map(\.scope)
    if cases.count > 1 {
      emitCases(to: &printer)
    } else {
      printer.line("let __row: Row")
      let members = ScopeMembers(scopes[0], of: self)
      emitInitializers(members, to: &printer)
      emitComplete("complete", members, calling: "self.init", to: &printer)
    }
    let used = Set(scopes.flatMap { members(of: $0).map(\.slot) })
    for (index, slot) in layout.slots.enumerated() where used.contains(index) {
      guard case .field(let field) = slot.content, let name = structs[index] else { continue }
      ObjectEmitter(
        field.selections, on: field.type.named, types: types, purpose: .rawResponse,
        names: names,
        path: paths[0] + "." + name, plan: plan + "[\(index)]"
      ).emitRawResponse(name, to: &printer)
    }
  }

  private func emitRawResponse(_ name: String, to printer: inout SwiftPrinter) {
    let opening =
      cases.count > 1
      ? "indirect enum \(name): GraphQLCases" : "struct \(name): GraphQLView, CustomReflectable"
    printer.schemaType(schema.name(of: layout.scopes[0].type))
    printer.block(access + opening) { printer in emitMembers(to: &printer) }
  }

  private func emitCases(to printer: inout SwiftPrinter) {
    var taken = SwiftName.enumMembers.union(["__slot"])
    let named = cases.map { item in
      let name = SwiftName.free(caseName(item), taken: taken)
      taken.insert(name)
      return (name: name, members: ScopeMembers(item.scope, of: self))
    }
    for (name, members) in named {
      let opening = "case " + SwiftName.escaped(name)
      if members.parameters.isEmpty {
        printer.line(opening)
      } else {
        printer.list(opening + "(", items: members.parameters, closing: ")", isOnePerLine: true)
      }
    }
    for (name, members) in named where !members.parameters.isEmpty {
      let complete = SwiftName.free("complete" + SwiftName.upperFirst(name), taken: taken)
      taken.insert(complete)
      emitComplete(complete, members, calling: "." + SwiftName.escaped(name), to: &printer)
    }
    printer.block(access, "var __slot: RowSlot") { printer in
      printer.line("switch self {")
      for (name, members) in named {
        let bound = members.parameters.map { "let " + $0.name }.joined(separator: ", ")
        emitSlot(
          SwiftName.escaped(name) + (bound.isEmpty ? "" : "(\(bound))"), members, to: &printer)
      }
      printer.line("}")
    }
  }

  /// Emits the function that takes every field, so that Swift's compiler names a missing one.
  private func emitComplete(
    _ name: String, _ members: ScopeMembers, calling initializer: String,
    to printer: inout SwiftPrinter
  ) {
    printer.initializer(
      types.clientAccess + "static func \(name)(", members.completeParameters,
      closing: ") -> Self {"
    ) { text in
      text += initializer
      text += "("
      for (index, parameter) in members.completeParameters.enumerated() {
        if index > 0 { text += ", " }
        parameter.writeArgument(to: &text)
      }
      text += ")"
    }
  }

  /// Emits the case of the switch that makes an object's slot.
  private func emitSlot(
    _ pattern: String, _ members: ScopeMembers, to printer: inout SwiftPrinter
  ) {
    printer.line("case .", pattern, ":")
    printer.indented { printer in
      printer.line { text in
        text += "RowSlot("
        text += plan
        for expression in members.slotExpressions {
          text += ", "
          expression.write(to: &text)
        }
        text += ")"
      }
    }
  }

  /// Returns the name of a case: `dog` for an object type, `nodeAndNamed` for interfaces only.
  private func caseName(_ item: ObjectLayout.Case) -> String {
    let names = item.types.map { SwiftName.upperFirst(schema.name(of: $0)) }
    return names.isEmpty ? "other" : SwiftName.lowerFirst(names.joined(separator: "And"))
  }
}

extension IR.Operation {
  /// Returns whether the operation has a type for optimistic responses.
  ///
  /// Depends only on the operation itself and the configuration, so edits elsewhere neither add nor
  /// remove the type.
  func hasRawResponse(_ options: EmissionOptions, _ symbols: SymbolTable) -> Bool {
    if options.rawResponses == .mutations, definition.operation == .mutation { return true }
    return definition.directives.contains { symbols[$0.name.symbol] == "raw_response_type" }
  }
}
