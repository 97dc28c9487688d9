/// The rules for names in generated Swift.
///
/// GraphQL names consist of ASCII letters, digits and underscores, so all of them are Swift
/// identifiers. A taken name gets trailing underscores: `self_`, `fragments_`.
package enum SwiftName {
  /// The keywords that are valid identifiers only in backticks.
  private static let keywords: Set<String> = [
    "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue",
    "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// The names that a type cannot have, in most positions not even in backticks.
  private static let impossibleTypes = keywords.union([
    "Self", "Type", "Protocol", "self", "init", "super", "some", "any", "each", "borrowing",
    "consuming", "sending", "isolated", "async", "await", "nonisolated", "actor", "macro", "open",
    "package", "_", "inout",
  ])

  /// The names that a member cannot have. Swift rejects them even in backticks, or generated code
  /// itself refers to them.
  private static let impossibleMembers: Set<String> = [
    "self", "Self", "init", "Type", "Protocol", "Swift", "_",
  ]

  /// The types that generated initializers and properties use in expressions, where a property of
  /// the same name would shadow them.
  private static let expressionNames: Set<String> = [
    "Row", "RowSlot", "SelectionPlan", "Fragments", "Variables", "OperationPlan", "String",
    "GraphQLList",
    "GraphQLNullable", "ConnectionInfo", "RefetchInfo", "RefetchVariable",
  ]

  private static let takenMembers = impossibleMembers.union(expressionNames)

  /// The members of every row-backed struct.
  private static let rowMembers: Set<String> = [
    "__row", "__plan", "__slot", "__operation", "__typename",
  ]

  /// Returns whether a name is reserved, so that no property of a row-backed struct can have it.
  static func isTakenMember(_ name: String) -> Bool {
    // Fast path: most names start with a lowercase letter, but few reserved names do.
    guard let first = name.utf8.first, first >= UInt8(ascii: "a") else {
      return takenMembers.contains(name) || rowMembers.contains(name)
    }
    return takenInLowercase.contains(name)
  }

  private static let takenInLowercase = takenMembers.filter {
    $0.utf8.first ?? 0 >= UInt8(ascii: "a")
  }
  .sorted()

  /// The types of the runtime and generated code. Definitions must not share their names.
  private static let runtimeTypes: Set<String> = [
    "AbstractTypes", "CustomReflectable", "CustomScalar", "Data", "DataID", "FieldErrors",
    "FragmentRef",
    "Fragments",
    "GeneratedCodeFormat", "GraphQLDeprecatedCases", "GraphQLDeprecatedChoices", "GraphQLEnum",
    "GraphQLEnumTable", "GraphQLFragment", "GraphQLInput",
    "GraphQLInputObject",
    "GraphQLList", "GraphQLMutation", "GraphQLNullable", "GraphQLObject", "GraphQLObjectType",
    "GraphQLOperation",
    "GraphQLQuery",
    "GraphQLSelection", "GraphQLSubscription", "GraphQLTag", "GraphQLView", "JSONValue",
    "OperationPlan", "SelectionPlan", "RawResponse", "RelayEnvironment", "RelayError", "RelayStore",
    "Row", "RowValue", "RowSlot", "Snapshot", "SpreadValue", "Variables",
  ]

  /// The types of the standard library, Foundation and SwiftUI that a schema's type must not
  /// shadow.
  private static let platformTypes: Set<String> = [
    "Actor", "Alignment", "Animation", "Any", "AnyHashable", "AnyObject", "AnyView", "App", "Array",
    "AsyncSequence", "AsyncStream", "Binding", "Bool", "Bundle", "Button", "CGFloat", "CGPoint",
    "CGRect", "CGSize", "Calendar", "CancellationError", "CaseIterable", "Character", "Clock",
    "Codable", "CodingKey", "Collection", "Color", "Comparable", "Context", "CustomReflectable",
    "Data", "Date", "DateComponents", "DateFormatter", "DateInterval", "Decimal", "Decodable",
    "Decoder", "Dictionary", "Dimension", "DispatchQueue", "Divider", "Double", "Duration", "Edge",
    "Encodable", "Encoder", "Environment", "Equatable", "Error", "FileManager", "Float",
    "Font", "ForEach", "Form", "Formatter", "Gesture", "Gradient", "Grid", "Group", "HStack",
    "Hashable", "Host", "Identifiable", "Image", "IndexPath", "IndexSet", "Int", "Int16",
    "Int32", "Int64", "Int8", "KeyPath", "Label", "Layout", "Link", "List", "Locale",
    "MainActor", "Measurement", "Menu", "Mirror", "Namespace", "Never", "Notification",
    "NumberFormatter", "Operation", "OperationQueue", "Optional", "OptionSet", "Path", "Picker",
    "Port", "Preview", "Process", "Progress", "ProgressView", "Published", "Query", "Range",
    "RawRepresentable", "Regex", "Result", "Scanner", "Scene", "Section", "Selector", "Self",
    "Sendable", "Sequence", "Set", "Shape", "Slider", "Spacer", "State", "Stepper", "Stream",
    "String", "Substring", "Swift", "Tab", "Table", "TabView", "Task", "TaskGroup", "Text",
    "TextField", "Thread", "TimeInterval", "TimeZone", "Timer", "Toggle", "Toolbar", "Transaction",
    "Type", "UInt", "UInt16", "UInt32", "UInt64", "UInt8", "URL", "URLRequest", "URLResponse",
    "URLSession", "UUID", "Unicode", "Unit", "UserDefaults", "VStack", "View", "ViewBuilder",
    "Void", "Window", "ZStack", "init", "self", "Protocol", "Foundation", "SwiftUI", "Combine",
  ]

  private static let unusableDefinitions = runtimeTypes.union(impossibleTypes)

  /// The names that a case of a generated enum cannot have: members of generated enums, cases of
  /// `Optional`, and keywords that backticks do not escape.
  static let enumMembers: Set<String> = [
    "none", "some", "unrecognized", "allCases", "rawValue", "hash", "hashValue", "customMirror",
    "encode", "self", "Self", "init", "Type", "Protocol", "_",
  ]

  /// Returns the identifier as it appears in code: in backticks if it is a keyword.
  package static func escaped(_ name: String) -> String {
    // Fast path: most names differ from every keyword in their first letter or length.
    guard let first = name.utf8.first,
      keywordLengths[Int(first & 31)] >> UInt64(min(name.utf8.count, 63)) & 1 == 1
    else { return name }
    return keywords.contains(name) ? "`\(name)`" : name
  }

  /// Returns the identifier as an argument label, where only one keyword needs backticks.
  static func label(_ escaped: String) -> String {
    escaped.hasPrefix("`") && escaped != "`inout`"
      ? String(escaped.dropFirst().dropLast()) : escaped
  }

  /// The lengths of the keywords, as a bit set for each first letter.
  private static let keywordLengths: [UInt64] = {
    var lengths = [UInt64](repeating: 0, count: 32)
    for keyword in keywords {
      guard let first = keyword.utf8.first else { continue }
      lengths[Int(first & 31)] |= 1 << UInt64(keyword.utf8.count)
    }
    return lengths
  }()

  /// Returns the name, with underscores appended while it is taken.
  ///
  /// - Parameter others: More taken names. A second set saves the caller a union.
  package static func free(
    _ name: String, taken: Set<String>, others: Set<String> = []
  ) -> String {
    var result = name
    while taken.contains(result) || others.contains(result) { result += "_" }
    return result
  }

  /// Returns the property name of a field or variable.
  package static func member(_ name: String, taken: Set<String>) -> String {
    free(name, taken: taken, others: takenMembers)
  }

  /// Returns the name of a linked field's struct: `User_assignee`.
  package static func nested(
    type: String, responseKey: String, taken: Set<String>, others: Set<String> = []
  ) -> String {
    free(type + "_" + responseKey, taken: taken, others: others)
  }

  /// Returns the name of a type condition's struct: `AsDroid`.
  package static func view(
    type: String, taken: Set<String>, others: Set<String> = []
  ) -> String {
    free("As" + upperFirst(type), taken: taken, others: others)
  }

  /// Returns the name with its leading capitals in lowercase, for properties and enum cases:
  /// `avatar_user`, `urlBar_item`.
  package static func lowerFirst(_ name: String) -> String {
    let bytes = name.utf8
    var count = bytes.prefix { (0x41...0x5A).contains($0) }.count
    // The last of several capitals starts the next word.
    if count > 1, let next = bytes.dropFirst(count).first, (0x61...0x7A).contains(next) {
      count -= 1
    }
    return name.prefix(count).lowercased() + name.dropFirst(count)
  }

  /// Returns the name of a type condition's property: `asDroid` for the struct `AsDroid`.
  static func lowerAs(_ view: String) -> String { "as" + view.dropFirst(2) }

  package static func upperFirst(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  /// Returns the name of an operation's struct: the operation's name, with the kind appended unless
  /// it is already there.
  package static func operation(_ name: String, kind: String) -> String {
    let suffix = upperFirst(kind)
    return definition(name.hasSuffix(suffix) ? name : name + suffix)
  }

  /// Returns the name of a fragment's or operation's struct: `name` with its first letter
  /// capitalized.
  package static func definition(_ name: String) -> String {
    free(upperFirst(name), taken: unusableDefinitions, others: platformTypes)
  }

  /// Returns the name of a type inside `enum Schema`.
  static func schemaMember(_ name: String, schemaName: String) -> String {
    free(name, taken: schemaTypes.union([schemaName]), others: impossibleTypes)
  }

  /// The names used by code inside `enum Schema` and in scalar files: runtime types, and the module
  /// `Swift`.
  private static let schemaTypes: Set<String> = [
    "AbstractTypes", "CustomScalar", "GraphQLDeprecatedCases", "GraphQLDeprecatedChoices",
    "GraphQLEnum", "GraphQLEnumTable", "GraphQLInput", "GraphQLInputObject",
    "GraphQLList", "GraphQLNullable", "GraphQLObjectType", "ObjectType", "Swift", "Variables",
  ]

  /// Returns the struct name of a type condition with `@alias`.
  package static func aliased(_ alias: String, taken: Set<String>, others: Set<String>) -> String {
    free(upperFirst(alias), taken: taken.union(namesInDefinitions), others: others)
  }

  /// The names used by a definition's code that a nested struct would hide.
  private static let namesInDefinitions = unusableDefinitions.union([
    "Bool", "Cases", "Double", "Hashable", "Identifiable", "Int", "Result", "Sendable", "String",
  ])

  /// Returns whether an enum or input type must be declared inside `enum Schema`, because its name
  /// clashes with a platform or runtime type or is not usable in Swift.
  package static func belongsToSchema(_ name: String) -> Bool {
    platformTypes.contains(name) || unusableDefinitions.contains(name)
  }

  /// Returns the Swift case of an enum value: `inProgress` for `IN_PROGRESS`, `fooBar` for
  /// `fooBar`.
  static func enumCase(_ value: String) -> String {
    guard value.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return value }
    if value.utf8.contains(where: { (0x61...0x7A).contains($0) }) {
      return value.utf8.contains(UInt8(ascii: "_")) ? value : lowerFirst(value)
    }
    let words = value.split(separator: "_", omittingEmptySubsequences: true).map { $0.lowercased() }
    guard let first = words.first else { return value }
    let leading = value.prefix { $0 == "_" }
    let joined = words.dropFirst().reduce(first) { $0 + upperFirst($1) }
    return leading + (joined.first?.isNumber == true && leading.isEmpty ? "_" : "") + joined
  }
}
