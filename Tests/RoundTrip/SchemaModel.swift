/// A random schema.
///
/// Fields with the same name have the same type on every parent type, so that all selections can
/// merge.
struct SchemaModel {
  /// A reference to a type, with its lists and non-null marks.
  indirect enum TypeReference {
    case named(String, isNonNull: Bool)
    case list(TypeReference, isNonNull: Bool)

    /// The named type inside all lists.
    var namedType: String {
      switch self {
      case .named(let name, _): name
      case .list(let item, _): item.namedType
      }
    }

    /// The type reference in GraphQL's syntax.
    var text: String {
      switch self {
      case .named(let name, let isNonNull): name + (isNonNull ? "!" : "")
      case .list(let item, let isNonNull): "[" + item.text + "]" + (isNonNull ? "!" : "")
      }
    }
  }

  struct Object {
    let name: String
    let interfaces: [String]
    let fields: [String]
    let hasID: Bool
  }

  static let enumValues = ["RED", "LIGHT_BLUE", "none", "default"]
  static let leaves = ["String", "Int", "Float", "Boolean", "ID", "Color", "Moment"]

  private(set) var fieldTypes: [String: TypeReference] = [:]
  private(set) var objects: [Object] = []
  private(set) var interfaces: [String: [String]] = [:]
  private(set) var unions: [String: [String]] = [:]
  private(set) var roots: [String] = []

  private static let objectNames = ["Dog", "Cat", "Fish", "Stone", "Ghost"]
  private static let interfaceNames = ["Animal", "Named", "Swimmer"]
  private static let unionNames = ["Thing", "Pet"]
  private static let leafFields = [
    "name", "age", "class", "description", "self", "hash", "weight", "isOld", "kind", "born",
    "tags", "Type", "code",
  ]
  private static let linkFields = ["friend", "friends", "grid", "owner", "in", "things", "home"]

  init(dice: inout Dice) {
    let composites = Self.objectNames + Self.interfaceNames + Self.unionNames
    for name in Self.leafFields {
      fieldTypes[name] = Self.typeReference(dice.pick(Self.leaves), &dice)
    }
    // Every schema has an enum field and a custom scalar field.
    fieldTypes["kind"] = Self.typeReference("Color", &dice)
    fieldTypes["born"] = Self.typeReference("Moment", &dice)
    for name in Self.linkFields {
      fieldTypes[name] = Self.typeReference(dice.pick(composites), &dice)
    }
    let fields = Self.leafFields + Self.linkFields
    for name in Self.interfaceNames {
      interfaces[name] = dice.some(of: fields, percent: 25) + ["name"]
    }
    for (position, name) in Self.objectNames.enumerated() {
      // The first object type implements every interface, so each has a possible type.
      let implemented =
        position == 0 ? Self.interfaceNames : dice.some(of: Self.interfaceNames, percent: 40)
      let inherited = Set(implemented.flatMap { interfaces[$0] ?? [] })
      let own = Set(dice.some(of: fields, percent: 50) + ["friend"])
      objects.append(
        Object(
          name: name, interfaces: implemented,
          fields: fields.filter { inherited.contains($0) || own.contains($0) },
          hasID: position < 3))
    }
    for name in Self.unionNames {
      unions[name] = ["Dog"] + dice.some(of: Array(Self.objectNames.dropFirst()), percent: 60)
    }
    for name in composites {
      let field = "root" + name
      fieldTypes[field] = Self.typeReference(name, &dice)
      roots.append(field)
    }
  }

  private static func typeReference(_ name: String, _ dice: inout Dice) -> TypeReference {
    var type = TypeReference.named(name, isNonNull: dice.percent(50))
    let depth = dice.pick([0, 0, 0, 1, 1, 2])
    for _ in 0..<depth { type = .list(type, isNonNull: dice.percent(50)) }
    return type
  }

  // MARK: Lookup

  func isComposite(_ name: String) -> Bool { !Self.leaves.contains(name) }

  static func isRoot(_ name: String) -> Bool { ["Query", "Mutation"].contains(name) }

  func isAbstract(_ name: String) -> Bool { interfaces[name] != nil || unions[name] != nil }

  func object(_ name: String) -> Object? { objects.first { $0.name == name } }

  /// The names of the fields that may be selected on `type`.
  func fields(of type: String) -> [String] {
    if Self.isRoot(type) { return roots }
    return interfaces[type]?.uniqued ?? object(type)?.fields ?? []
  }

  /// The possible types of `type`.
  func possible(_ type: String) -> [String] {
    if Self.isRoot(type) { return [type] }
    if let members = unions[type] { return members }
    if interfaces[type] != nil {
      return objects.filter { $0.interfaces.contains(type) }.map(\.name)
    }
    return [type]
  }

  /// The types that share a possible type with `type`.
  func overlapping(_ type: String) -> [String] {
    let own = Set(possible(type))
    return (Self.objectNames + Self.interfaceNames + Self.unionNames).filter {
      !own.isDisjoint(with: possible($0))
    }
  }

  var text: String {
    var lines = ["scalar Moment", "enum Color { \(Self.enumValues.joined(separator: " ")) }"]
    func body(_ fields: [String], _ more: [String] = []) -> String {
      let all = more + fields.uniqued.map { "\($0): \(fieldTypes[$0]?.text ?? "Int")" }
      return " { " + all.joined(separator: " ") + " }"
    }
    lines.append("type Query" + body(roots))
    lines.append("type Mutation" + body(roots))
    for name in Self.interfaceNames {
      lines.append("interface \(name)" + body(interfaces[name] ?? []))
    }
    for object in objects {
      let implemented = object.interfaces.joined(separator: " & ")
      lines.append(
        "type \(object.name)" + (implemented.isEmpty ? "" : " implements " + implemented)
          + body(object.fields, object.hasID ? ["id: ID!"] : []))
    }
    for name in Self.unionNames {
      lines.append("union \(name) = " + (unions[name] ?? []).joined(separator: " | "))
    }
    return lines.joined(separator: "\n")
  }
}

extension Array where Element: Hashable {
  /// The elements without repetitions, in the order of their first occurrence.
  var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
