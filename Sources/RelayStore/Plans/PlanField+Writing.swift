extension PlanField {
  /// Checks whether a value can be written to the field. Null is accepted at every level.
  func check(_ value: FieldValue) -> WriteCheck {
    do throws(Mismatch) {
      try check(value, level: 0)
      return .accepted
    } catch {
      let found = error.found.map { ", and cannot be \($0)" } ?? ""
      let reason = error.underlying.map { ", and the value is not accepted: \($0.text)" } ?? ""
      return .refused("is \(typeText)\(found)\(reason)", underlying: error.underlying)
    }
  }

  /// The type in words, such as "a list of String".
  var typeText: String {
    let name = type.name(child: child)
    let value = type.namedType == .object ? "a link to \(name)" : "of type \(name)"
    if type.listDepth == 0 { return value }
    let lists = repeatElement("a list of ", count: type.listDepth - 1).joined()
    return "a list of " + lists + (type.namedType == .object ? "links to \(name)" : name)
  }

  private struct Mismatch: Error {
    var found: String?
    var underlying: (any Error)?
  }

  private func check(_ value: FieldValue, level: Int) throws(Mismatch) {
    if case .null = value { return }
    if level < type.listDepth {
      switch value {
      case .links(let links)
      where type.namedType == .object && (links.isEmpty || level + 1 == type.listDepth):
        return
      case .list(let values):
        let areLinks = type.namedType == .object && level + 1 == type.listDepth
        let areNulls = values.allSatisfy { if case .null = $0 { true } else { false } }
        if areLinks, !areNulls { throw Mismatch(found: value.kind) }
        for value in values { try check(value, level: level + 1) }
        return
      case .array(let values):
        for value in values { try check(FieldValue(value), level: level + 1) }
        return
      default: throw Mismatch(found: value.kind)
      }
    }
    switch (type.namedType, value) {
    case (.object, .link), (.string, .string), (.id, .string), (.id, .int), (.id, .number),
      (.enumeration, .string), (.boolean, .bool), (.int, .int), (.float, .int):
      return
    case (.int, .number(let number)) where number.int != nil: return
    case (.float, .number(let number)) where number.double != nil: return
    case (.custom, _): try checkScalar(value)
    default: throw Mismatch(found: value.kind)
    }
  }

  private func checkScalar(_ value: FieldValue) throws(Mismatch) {
    guard let json = value.json else { throw Mismatch(found: value.kind) }
    guard let scalar else { return }
    do {
      _ = try StoreCallback.run("the conversion of the scalar type \(scalar)") {
        try scalar.init(json: json)
      }
    } catch {
      throw Mismatch(underlying: error)
    }
  }
}

extension FieldValue {
  /// The kind of value in words, such as "a number".
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .int, .number: "a number"
    case .string: "a string"
    case .object: "an object"
    case .list, .array: "a list"
    case .link: "a link"
    case .links: "a list of links"
    }
  }
}
