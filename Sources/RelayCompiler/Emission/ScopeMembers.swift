import GraphQLLanguage

/// The members of one scope's struct: their names and types, and the slots filled by the memberwise
/// initializer.
struct ScopeMembers {
  /// A property that reads a field.
  struct FieldMember {
    let property: String
    let type: MemberType
    let value: ReadExpression
    let texts: FieldDocumentation.Entry
    /// Whether the enclosing struct does not have the field. Otherwise its property already has the
    /// documentation comment.
    let isOwn: Bool
  }

  /// A property that reads a fragment spread.
  struct SpreadMember {
    let property: String
    let type: MemberType
    let value: ReadExpression
  }

  /// A property that reads a type condition.
  struct ViewMember {
    let property: String
    let type: String
    let slot: Int
    /// The name of the condition's enum case.
    let caseName: String
    let isAbstract: Bool
  }

  private(set) var fields: [FieldMember] = []
  private(set) var spreads: [SpreadMember] = []
  private(set) var views: [ViewMember] = []
  /// The property that reads the type conditions as an enum; `nil` with fewer than two.
  private(set) var casesProperty: String?
  /// The parameters of the memberwise initializer.
  private(set) var parameters: [MemberParameter] = []
  /// For optimistic responses: the parameters of `complete`; otherwise empty.
  private(set) var completeParameters: [CompleteParameter] = []
  /// The memberwise initializer's expression for each slot. Trailing absent slots are omitted.
  private(set) var slotExpressions: [SlotExpression]
  /// Whether the scope has a spread that the enclosing struct does not have.
  private(set) var hasOwnSpreads = false
  /// The object type's name as a literal; `nil` when several object types are possible.
  let typename: String?

  private let emitter: ObjectEmitter
  private let scope: Int
  private var taken: TakenNames

  init(_ scope: Int, of emitter: ObjectEmitter) {
    self.emitter = emitter
    self.scope = scope
    slotExpressions = Array(repeating: .absent, count: emitter.layout.slots.count)
    taken = TakenNames(emitter.names.inExpressions.sorted())
    let concrete = emitter.layout.concreteType(of: scope)
    typename = concrete.map { SwiftEscaping.literal(emitter.schema.name(of: $0)) }
    let members = emitter.members(of: scope)
    if members.contains(where: { emitter.layout.slots[$0.slot].isSpread }) {
      taken.add("fragments")
    }
    if typename == nil, emitter.layout.hasTypenameSlot(in: members) { addTypenameParameter() }
    for member in members where !emitter.layout.slots[member.slot].isSpread { addField(member) }
    for member in members where emitter.layout.slots[member.slot].isSpread { addSpread(member) }
    addViews()
    fillSlots()
  }

  // MARK: Fields

  private mutating func addTypenameParameter() {
    let isReading = emitter.purpose == .reading
    let parameter = MemberParameter(
      name: "__typename",
      type: MemberType(namedType: isReading ? "String" : emitter.types.objectType),
      isUnlabelled: !isReading)
    parameters.append(parameter)
    if !isReading { completeParameters.append(CompleteParameter(parameter: parameter)) }
  }

  private mutating func addField(_ member: ObjectLayout.Member) {
    let index = member.slot
    let slot = emitter.layout.slots[index]
    guard case .field(let field) = slot.content else { return }
    let key = emitter.types.text(field.responseKey)
    if field.name == .typename { return addTypename(key, member) }
    let property = taken.claim(key)
    let namedType = namedType(field, slot: index)
    let type = outputType(field, of: namedType, isOptional: !slot.condition.isAlways)
    let owner = emitter.layout.scopes[slot.scope].type
    fields.append(
      FieldMember(
        property: property, type: type, value: read(field, slot: index),
        texts: emitter.types.texts(of: field.name, on: owner), isOwn: !isSeenAround(index)))
    addParameter(
      SwiftName.escaped(property), field: field, slot: slot, namedType: namedType, at: index)
  }

  private mutating func addTypename(_ key: String, _ member: ObjectLayout.Member) {
    let value = typename ?? "__typename"
    slotExpressions[member.slot] = .value(value)
    // The runtime declares this property for every struct.
    if key == "__typename" { return }
    let property = taken.claim(key)
    fields.append(
      FieldMember(
        property: property, type: MemberType(namedType: "String"),
        value: typename.map { .literal($0) } ?? .slot(member.slot), texts: .none, isOwn: true))
  }

  /// Returns the expression that reads a field.
  private func read(_ field: IR.Field, slot: Int) -> ReadExpression {
    let isObject =
      !field.selections.isEmpty && emitter.structs[slot] != nil && field.catches != .result
      && !field.type.isList
    return isObject ? .object(slot) : .slot(slot)
  }

  /// Returns the Swift type of a field.
  private func outputType(_ field: IR.Field, of namedType: String, isOptional: Bool) -> MemberType {
    let shape = field.swiftShape
    guard field.catches == .result else {
      return MemberType(namedType: namedType, shape: isOptional ? shape.nullable : shape)
    }
    return MemberType(
      opening: "Result<", namedType: namedType, shape: shape,
      closing: isOptional ? ", FieldErrors>?" : ", FieldErrors>")
  }

  /// Returns the Swift type of the field's named type, as this struct refers to it.
  private func namedType(_ field: IR.Field, slot: Int) -> String {
    guard !field.selections.isEmpty, let name = emitter.structs[slot] else {
      return emitter.types.reference(field.type.named)
    }
    let owner = emitter.layout.slots[slot].scope
    if emitter.purpose == .rawResponse { return name }
    return emitter.layout.encloses(owner, scope) ? name : emitter.paths[owner] + "." + name
  }

  private mutating func addParameter(
    _ name: String, field: IR.Field, slot: ObjectLayout.Slot, namedType: String, at index: Int
  ) {
    let shape = field.swiftShape
    let isRaw = emitter.purpose == .rawResponse
    let isConditional = !slot.condition.isAlways
    let isOmissible = isConditional || (isRaw && slot.isImplicit)
    let isNullable = isRaw && isOmissible && !shape.isNonNull
    var type = outputType(field, of: namedType, isOptional: isOmissible)
    if isNullable {
      type = MemberType(
        opening: "GraphQLNullable<", namedType: namedType, shape: shape.nonNull, closing: ">")
    }
    if isRaw {
      let isConverted = isNullable && !isConditional
      let complete =
        isConditional ? type : outputType(field, of: namedType, isOptional: false)
      completeParameters.append(
        CompleteParameter(
          parameter: MemberParameter(name: name, type: complete), isConverted: isConverted))
    }
    if isNullable {
      type.closing += " = .none"
    } else if isOmissible || (!shape.isNonNull && field.catches != .result) {
      type.closing += " = nil"
    }
    parameters.append(MemberParameter(name: name, type: type))
    // The runtime fills the other slots with the same key.
    slotExpressions[index] = isOmissible && !isNullable ? .optional(name) : .value(name)
  }

  // MARK: Spreads and views

  private mutating func addSpread(_ member: ObjectLayout.Member) {
    let slot = emitter.layout.slots[member.slot]
    guard case .spread(let spread) = slot.content,
      let fragment = emitter.types.fragments[spread.name]
    else { return }
    let property = taken.claim(
      spread.alias.map(emitter.types.text)
        ?? SwiftName.lowerFirst(emitter.types.text(spread.name)))
    // The reference to a deferred fragment is available before its part arrives.
    let isOptional = !slot.condition.whenComplete.isAlways
    let isInline = emitter.types.inlineFragments.contains(spread.name)
    var type =
      isInline
      ? MemberType(namedType: fragment, closing: isOptional ? "?" : "")
      : MemberType(
        opening: "FragmentRef<", namedType: fragment, closing: isOptional ? ">?" : ">")
    spreads.append(
      SpreadMember(
        property: property, type: type,
        value: isInline ? .object(member.slot) : .spread(member.slot)))
    if member.all.contains(where: { !isSeenAround($0) }) { hasOwnSpreads = true }
    let name = SwiftName.escaped(property)
    if isOptional { type.closing += " = nil" }
    parameters.append(MemberParameter(name: name, type: type))
    slotExpressions[member.slot] = isOptional ? .optional(name) : .value(name)
  }

  /// Returns whether the enclosing struct also has the slot.
  private func isSeenAround(_ slot: Int) -> Bool {
    guard let parent = emitter.layout.scopes[scope].parent else { return false }
    return emitter.layout.implies(parent, emitter.layout.slots[slot].scope)
  }

  private mutating func addViews() {
    var caseNames = SwiftName.enumMembers.union(["other"])
    for child in emitter.layout.scopes[scope].children {
      guard let slot = emitter.layout.scopes[child].slot, let type = emitter.structs[slot] else {
        continue
      }
      let condition = emitter.layout.scopes[child].type
      var name = SwiftName.lowerAs(type)
      var caseName = SwiftName.lowerFirst(emitter.schema.name(of: condition))
      if case .inlineFragment(let fragment) = emitter.layout.slots[slot].content,
        let alias = fragment.alias
      {
        name = emitter.types.text(alias)
        caseName = name
      }
      caseName = SwiftName.free(caseName, taken: caseNames)
      caseNames.insert(caseName)
      views.append(
        ViewMember(
          property: taken.claim(name), type: type, slot: slot, caseName: caseName,
          isAbstract: emitter.schema[condition].isAbstract))
    }
    if views.count > 1, emitter.purpose == .reading { casesProperty = taken.claim("cases") }
  }

  private mutating func fillSlots() {
    for (index, slot) in emitter.layout.slots.enumerated() {
      guard let inner = slot.innerScope else { continue }
      if emitter.layout.implies(scope, inner) { slotExpressions[index] = .matches }
    }
    while slotExpressions.last?.isAbsent == true { slotExpressions.removeLast() }
  }
}

extension ObjectLayout.Slot {
  var isSpread: Bool { if case .spread = content { true } else { false } }
}

extension ObjectLayout {
  /// Returns whether one of the members is `__typename`, under any response key.
  func hasTypenameSlot(in members: [Member]) -> Bool {
    members.contains {
      if case .field(let field) = slots[$0.slot].content { field.name == .typename } else { false }
    }
  }
}
