import GraphQLLanguage

/// The parameter order of an optimistic response's initializers. Required fields added by the
/// compiler come first, then the document's fields in the order of `Data`, then fields that may be
/// omitted.
struct RawResponseOrder {
  private var positions: [Symbol: Int] = [:]
  private var selections: [Symbol: [IR.Selection]] = [:]

  /// - Parameter selections: The reader's selections on the object.
  init(_ selections: [IR.Selection]) { add(selections) }

  private mutating func add(_ added: [IR.Selection]) {
    for selection in added {
      switch selection.content {
      case .field(let field):
        if positions[field.responseKey] == nil { positions[field.responseKey] = positions.count }
        selections[field.responseKey, default: []] += field.selections
      case .inlineFragment(let fragment): add(fragment.selections)
      case .spread: break
      }
    }
  }

  /// Returns the order for the object of a linked field.
  func inside(_ responseKey: Symbol) -> RawResponseOrder {
    RawResponseOrder(selections[responseKey] ?? [])
  }

  /// Sorts the members of one scope into parameter order.
  func sorted(
    _ members: [ObjectLayout.Member], of emitter: ObjectEmitter
  ) -> [ObjectLayout.Member] {
    if emitter.purpose == .reading { return members }
    let ranked = members.enumerated().map {
      offset, member -> (rank: [Int], member: ObjectLayout.Member) in
      let slot = emitter.layout.slots[member.slot]
      guard case .field(let field) = slot.content else { return ([3, offset], member) }
      if let position = positions[field.responseKey] { return ([1, position], member) }
      return ([slot.isImplicit ? 2 : 0, offset], member)
    }
    return ranked.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.map(\.member)
  }
}

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

  /// Returns the members of a scope's struct.
  ///
  /// An optimistic response can select a linked field under several type conditions. Each condition
  /// that no other one implies becomes a separate member, because none of them selects all fields
  /// of the others.
  func members(of scope: Int) -> [ObjectLayout.Member] {
    let members = layout.members(of: scope)
    if purpose == .reading { return members }
    return members.flatMap { member -> [ObjectLayout.Member] in
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
  }

  func emitRawResponseMembers(to printer: inout SwiftPrinter) {
    let scopes = cases.isEmpty ? [0] : cases.map(\.scope)
    if cases.count > 1 {
      emitCases(to: &printer)
    } else {
      printer.line("let __row: Row")
      emitInitializers(ScopeMembers(scopes[0], of: self), to: &printer)
    }
    let used = Set(scopes.flatMap { members(of: $0).map(\.slot) })
    for (index, slot) in layout.slots.enumerated() where used.contains(index) {
      guard case .field(let field) = slot.content, let name = structs[index] else { continue }
      ObjectEmitter(
        field.selections, on: field.type.named, types: types, purpose: .rawResponse,
        names: names,
        path: paths[0] + "." + name, plan: plan + "[\(index)]",
        order: order.inside(field.responseKey)
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
    var slots: [(pattern: String, members: ScopeMembers)] = []
    for item in cases {
      let members = ScopeMembers(item.scope, of: self)
      let name = SwiftName.free(caseName(item), taken: taken)
      taken.insert(name)
      let opening = "case " + SwiftName.escaped(name)
      if members.parameters.isEmpty {
        printer.line(opening)
      } else {
        printer.list(opening + "(", items: members.parameters, closing: ")", isOnePerLine: true)
      }
      let bound = members.parameters.map { "let " + $0.name }.joined(separator: ", ")
      slots.append((SwiftName.escaped(name) + (bound.isEmpty ? "" : "(\(bound))"), members))
    }
    printer.block(access, "var __slot: RowSlot") { printer in
      printer.line("switch self {")
      for (pattern, members) in slots { emitSlot(pattern, members, to: &printer) }
      printer.line("}")
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
