/// A recursive-descent decoder of the notation of Docs/Reference/PlanNotation.md.
///
/// A parsing method advances `position`, and returns `nil` when the bytes do not match the
/// notation.
struct PlanDecoder {
  private let bytes: [UInt8]
  private var position = 0
  private let types: AbstractTypes?
  private let leaves: [String: any GraphQLInput.Type]
  private let inlined: [String: SelectionPlan]
  /// Whether the field being decoded is a client-only field or is below one.
  private var isInClientField = false

  init(
    bytes: [UInt8], types: AbstractTypes?, leaves: [String: any GraphQLInput.Type],
    inlined: [String: SelectionPlan] = [:]
  ) {
    self.inlined = inlined
    self.bytes = bytes
    self.types = types
    self.leaves = leaves
  }

  /// Decodes an entire plan.
  mutating func plan() -> SelectionPlan.Definition? {
    guard let maxAge = maxAge(), let privacy = privacy() else { return nil }
    let owner = owner()
    guard let fragmentVariables = fragmentVariables(), let used = used(), let handling = handling()
    else { return nil }
    _ = consume(" ")
    guard var plan = object(), position == bytes.count else { return nil }
    (plan.owner, plan.fragmentVariables, plan.used) = (owner, fragmentVariables, used)
    (plan.handling, plan.privacy, plan.maxAge) = (handling, privacy, maxAge)
    return plan
  }

  /// Decodes how long the data is fresh, in seconds.
  private mutating func maxAge() -> Duration?? {
    guard consume("@") else { return .some(nil) }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: " ") { position += 1 }
    let seconds = Double(String(decoding: bytes[start..<position], as: UTF8.self))
    guard let seconds, (0...1e9).contains(seconds), consume(" ") else { return nil }
    return .seconds(seconds)
  }

  /// Decodes the elements that are never persisted.
  private mutating func privacy() -> PrivateElements?? {
    guard consume("-") else { return .some(nil) }
    var privacy = PrivateElements()
    repeat {
      if consume("$") {
        privacy.insert("$")
      } else {
        guard let type = consume("*") ? "*" : name() else { return nil }
        let field = consume(".") ? name() : ""
        guard let field else { return nil }
        privacy.insert(field.isEmpty ? type : type + "." + field)
      }
    } while consume(",")
    return consume(" ") ? privacy : nil
  }

  /// Decodes the definition's name, if there is one. A name before an opening brace is the object's
  /// type instead.
  private mutating func owner() -> String {
    let start = position
    guard let name = name(), !peek("{") else {
      position = start
      return ""
    }
    return name
  }

  private mutating func handling() -> DefinitionHandling?? {
    guard consume("~") else { return .some(nil) }
    switch name() {
    case "throw": return .throw
    case "null": return .null
    case "result": return .result
    default: return nil
    }
  }

  /// Decodes the fragment's own variables and their defaults.
  private mutating func fragmentVariables() -> [FragmentVariable]? {
    var fragmentVariables: [FragmentVariable] = []
    guard consume("(") else { return fragmentVariables }
    while !consume(")") {
      guard consume("$"), let name = name() else { return nil }
      var variable = FragmentVariable(name: name)
      if consume("=") {
        guard let value = value()?.json([:]) else { return nil }
        variable.defaultValue = value
      }
      fragmentVariables.append(variable)
      _ = consume(",")
    }
    return fragmentVariables
  }

  /// Decodes the names of the operation variables that a fragment uses.
  private mutating func used() -> [String]? {
    var variables: [String] = []
    guard consume("<") else { return variables }
    while !consume(">") {
      guard consume("$"), let name = name() else { return nil }
      variables.append(name)
      _ = consume(",")
    }
    return variables
  }

  private mutating func object() -> SelectionPlan.Definition? {
    let isAbstract = consume("*")
    guard let name = name(), consume("{") else { return nil }
    var slots: [PlanSlot] = []
    guard selections(into: &slots, enclosing: nil, guards: []) else { return nil }
    return SelectionPlan.Definition(
      typeName: name, isAbstract: isAbstract, slots: slots, types: types)
  }

  /// Decodes selections up to and including the closing brace.
  private mutating func selections(
    into slots: inout [PlanSlot], enclosing: Int?, guards: [[GuardTerm]]
  ) -> Bool {
    while !consume("}") {
      guard selection(into: &slots, enclosing: enclosing, guards: guards) else {
        return false
      }
      _ = consume(" ")
    }
    return true
  }

  private mutating func selection(
    into slots: inout [PlanSlot], enclosing: Int?, guards: [[GuardTerm]]
  ) -> Bool {
    func slot(_ content: PlanSlot.Content) -> PlanSlot {
      PlanSlot(content: content, enclosing: enclosing, guards: guards)
    }
    guard consume("...") else {
      guard let field = field() else { return false }
      slots.append(slot(.field(field)))
      return true
    }
    if consume("on ") {
      let isAbstract = consume("*")
      guard let name = name(), consume("{") else { return false }
      slots.append(slot(.condition(TypeCondition(typeName: name, isAbstract: isAbstract))))
      return selections(into: &slots, enclosing: slots.count - 1, guards: [])
    }
    if consume("if ") {
      guard let alternatives = alternatives(), consume("{") else { return false }
      return selections(into: &slots, enclosing: enclosing, guards: guards + [alternatives])
    }
    guard let first = name() else { return false }
    let alias = consume(":") ? first : nil
    guard let name = alias == nil ? first : name(), let arguments = arguments(), let used = used()
    else { return false }
    slots.append(
      slot(
        .spread(
          PlanSpread(
            name: name, alias: alias, arguments: arguments, variables: used, inlined: inlined[name])
        )))
    return true
  }

  /// Decodes a guard. The guard is satisfied by any one of its terms.
  private mutating func alternatives() -> [GuardTerm]? {
    var alternatives: [GuardTerm] = []
    repeat {
      if peek("\"") {
        guard let part = deferredPart() else { return nil }
        alternatives.append(.deferred(part))
        continue
      }
      let passes = !consume("!")
      guard consume("$"), let name = name() else { return nil }
      alternatives.append(.variable(name: name, passes: passes))
    } while consume("|")
    return alternatives
  }

  /// Decodes a deferred part's label, and its fragment's name if it is not the label's last
  /// component.
  private mutating func deferredPart() -> DeferredPart? {
    guard let label = json()?.string else { return nil }
    if consume(":") { return name().map { DeferredPart(label: label, fragment: $0) } }
    return label.split(separator: "$").last.map {
      DeferredPart(label: label, fragment: String($0))
    }
  }

  private mutating func field() -> PlanField? {
    let isMarked = consume("#")
    let isIDScalar = isMarked && consume("#")
    let isBelowClientField = isInClientField
    if consume("?") { isInClientField = true }
    defer { isInClientField = isBelowClientField }
    guard let first = name() else { return nil }
    var fieldName = first
    if consume(":") {
      guard let second = name() else { return nil }
      fieldName = second
    }
    guard let arguments = arguments(), consume(" "), let (type, child) = type() else { return nil }
    var required: RequiredAction?
    var catches: CatchTarget?
    while consume("~") {
      switch name() {
      case "none": required = RequiredAction.none
      case "log": required = .log
      case "throw": required = .throw
      case "null": catches = .null
      case "result": catches = .result
      default: return nil
      }
    }
    guard let handles = handles() else { return nil }
    let derivation = handles.first { $0.name == "derived" }?.arguments.first?.value.json([:])
    return PlanField(
      responseKey: first, name: fieldName, arguments: arguments, type: type, child: child,
      scalar: scalar(type.namedType), enumeration: enumeration(type.namedType),
      required: required, catches: catches, handles: handles,
      isKey: isMarked && !isIDScalar, isIDScalar: isIDScalar,
      isClient: isInClientField,
      derived: derivation?.string.flatMap { inlined[$0] })
  }

  /// Returns the Swift type that values of a custom scalar are converted to.
  private func scalar(_ type: PlanType.NamedType) -> (any JSONConvertible.Type)? {
    // A string needs no conversion: the row holds the JSON value, and the property makes a `String`
    // from it.
    guard case .custom(let name) = type, let leaf = leaves[name], leaf != String.self else {
      return nil
    }
    return leaf as? any JSONConvertible.Type
  }

  /// Returns the Swift type of an enum.
  private func enumeration(_ type: PlanType.NamedType) -> (any GraphQLInput.Type)? {
    if case .enumeration(let name) = type { leaves[name] } else { nil }
  }

  /// Decodes the handles of a field.
  private mutating func handles() -> [PlanHandle]? {
    var handles: [PlanHandle] = []
    while consume("%") {
      guard let name = name(), let arguments = arguments() else { return nil }
      handles.append(PlanHandle(name: name, arguments: arguments))
    }
    return handles
  }

  private mutating func type() -> (PlanType, SelectionPlan?)? {
    if consume("[") {
      guard case (var type, let child)? = self.type(), consume("]") else { return nil }
      type.isNullable.insert(!consume("!"), at: 0)
      return (type, child)
    }
    guard let (namedType, child) = namedType() else { return nil }
    return (PlanType(namedType: namedType, isNullable: [!consume("!")]), child)
  }

  private mutating func namedType() -> (PlanType.NamedType, SelectionPlan?)? {
    if consume("@") { return name().map { (.enumeration($0), nil) } }
    let start = position
    _ = consume("*")
    guard let name = name() else { return nil }
    if peek("{") {
      position = start
      return object().map { (.object, SelectionPlan($0)) }
    }
    switch name {
    case "ID": return (.id, nil)
    case "String": return (.string, nil)
    case "Int": return (.int, nil)
    case "Float": return (.float, nil)
    case "Boolean": return (.boolean, nil)
    default: return (.custom(name), nil)
    }
  }

  // MARK: Arguments

  private mutating func arguments() -> [PlanArgument]? {
    guard consume("(") else { return [] }
    return members(until: ")") { $0.name() }
  }

  private mutating func members(
    until end: StaticString, key: (inout PlanDecoder) -> String?
  ) -> [PlanArgument]? {
    var members: [PlanArgument] = []
    while !consume(end) {
      guard let name = key(&self), consume(":"), let value = value() else { return nil }
      members.append(PlanArgument(name: name, value: value))
      _ = consume(",")
    }
    return members
  }

  private mutating func value() -> PlanValue? {
    if consume("$") { return name().map(PlanValue.variable) }
    if consume("[") {
      var values: [PlanValue] = []
      while !consume("]") {
        guard let value = value() else { return nil }
        values.append(value)
        _ = consume(",")
      }
      return .list(values)
    }
    if consume("{") {
      return members(until: "}") { $0.json()?.string }.map(PlanValue.object)
    }
    return json().map(PlanValue.constant)
  }

  /// Decodes a JSON value.
  ///
  /// The scanner reads the buffer only inside the closure; the value is a copy.
  private mutating func json() -> JSONValue? {
    bytes.withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(buffer, position: position)
      guard let value = try? scanner.value() else { return nil }
      position = scanner.position
      return value
    }
  }

  // MARK: Characters

  private mutating func name() -> String? {
    let start = position
    while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
    return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private func peek(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { expected in
      position + expected.count <= bytes.count
        && bytes[position..<position + expected.count].elementsEqual(expected)
    }
  }

  private mutating func consume(_ text: StaticString) -> Bool {
    guard peek(text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }
}
