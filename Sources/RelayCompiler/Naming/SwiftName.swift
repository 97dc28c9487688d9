/// Names in generated Swift: every rule about them is here.
///
/// GraphQL names are ASCII letters, digits and underscores, so all of them are identifiers. A name
/// that is taken gets an underscore at its end, as often as needed: `self_`, `fragments_`.
package enum SwiftName {
  /// What must be written in backticks to be an identifier.
  private static let keywords: Set<String> = [
    "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue",
    "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// What no type can be called, in most places not even in backticks.
  private static let impossibleTypes = keywords.union([
    "Self", "Type", "Protocol", "self", "init", "super", "some", "any", "each", "borrowing",
    "consuming", "sending", "isolated", "async", "await", "nonisolated", "actor", "macro", "open",
    "package", "_", "inout",
  ])

  /// What no member can be called, even in backticks, or what generated code itself says.
  private static let impossibleMembers: Set<String> = [
    "self", "Self", "init", "Type", "Protocol", "Swift", "_",
  ]

  /// Types that generated initializers and properties name in expressions, where a property of the
  /// same name would come first.
  private static let expressionNames: Set<String> = [
    "Row", "RowSlot", "SelectionPlan", "Fragments", "Variables", "OperationPlan", "String",
    "GraphQLList",
    "GraphQLNullable", "ConnectionInfo", "RefetchInfo",
  ]

  private static let takenMembers = impossibleMembers.union(expressionNames)

  /// What every struct over a row has.
  private static let rowMembers: Set<String> = [
    "__row", "__plan", "__slot", "__operation", "__typename",
  ]

  /// Whether no property of a struct over a row can have a name.
  static func isTakenMember(_ name: String) -> Bool {
    // Nearly all names begin with a small letter, which few of those that are taken do.
    guard let first = name.utf8.first, first >= UInt8(ascii: "a") else {
      return takenMembers.contains(name) || rowMembers.contains(name)
    }
    return takenInLowercase.contains(name)
  }

  private static let takenInLowercase = takenMembers.filter {
    $0.utf8.first ?? 0 >= UInt8(ascii: "a")
  }
  .sorted()

  /// Types of the runtime, and of generated code, that a definition must not take.
  private static let runtimeTypes: Set<String> = [
    "AbstractTypes", "Data", "DataID", "FieldErrors", "FragmentRef", "Fragments", "GraphQLEnum",
    "GraphQLFragment", "GraphQLInput", "GraphQLInputObject", "GraphQLList", "GraphQLMutation",
    "GraphQLNullable", "GraphQLOperation", "GraphQLQuery", "GraphQLSelection",
    "GraphQLSubscription", "GraphQLTag", "GraphQLView", "JSONValue", "OperationPlan",
    "SelectionPlan",
    "RawResponse", "RelayEnvironment", "RelayError", "RelayStore", "Row", "RowValue", "RowSlot",
    "Snapshot",
    "SpreadValue", "Variables",
  ]

  /// Types of the standard library, Foundation and SwiftUI that a module must not lose to a schema's.
  private static let platformTypes: Set<String> = [
    "Actor", "Alignment", "Animation", "Any", "AnyHashable", "AnyObject", "AnyView", "App", "Array",
    "AsyncSequence", "AsyncStream", "Binding", "Bool", "Bundle", "Button", "CGFloat", "CGPoint",
    "CGRect", "CGSize", "Calendar", "CancellationError", "CaseIterable", "Character", "Clock",
    "Codable", "CodingKey", "Collection", "Color", "Comparable", "Context",
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

  /// Members that every enum of generated code has.
  static let enumMembers: Set<String> = [
    "none", "some", "unrecognized", "allCases", "rawValue", "hash", "hashValue", "customMirror",
    "encode", "self", "init", "Type", "Protocol", "_",
  ]

  /// The identifier as it stands in code: in backticks where it is a keyword.
  package static func escaped(_ name: String) -> String {
    // Nearly all names differ from every keyword in their first letter or length.
    guard let first = name.utf8.first,
      keywordLengths[Int(first & 31)] >> UInt64(min(name.utf8.count, 63)) & 1 == 1
    else { return name }
    return keywords.contains(name) ? "`\(name)`" : name
  }

  /// By the letter with which they begin: a bit for each length of keywords.
  private static let keywordLengths: [UInt64] = {
    var lengths = [UInt64](repeating: 0, count: 32)
    for keyword in keywords {
      guard let first = keyword.utf8.first else { continue }
      lengths[Int(first & 31)] |= 1 << UInt64(keyword.utf8.count)
    }
    return lengths
  }()

  /// A name that is not taken: the name itself, or with underscores at its end.
  ///
  /// - Parameter others: More names that are taken; two sets save copying the larger one.
  package static func free(
    _ name: String, taken: Set<String>, others: Set<String> = []
  ) -> String {
    var result = name
    while taken.contains(result) || others.contains(result) { result += "_" }
    return result
  }

  /// A property's name for a field or variable.
  package static func member(_ name: String, taken: Set<String>) -> String {
    free(name, taken: taken, others: takenMembers)
  }

  /// The struct of a linked field: `User_assignee`.
  package static func nested(
    type: String, responseKey: String, taken: Set<String>, others: Set<String> = []
  ) -> String {
    free(type + "_" + responseKey, taken: taken, others: others)
  }

  /// The view of a type condition: `AsDroid`.
  package static func view(
    type: String, taken: Set<String>, others: Set<String> = []
  ) -> String {
    free("As" + upperFirst(type), taken: taken, others: others)
  }

  /// The property of a type condition or fragment: `asDroid`, `avatar_user`, `urlBar_item`.
  package static func lowerFirst(_ name: String) -> String {
    let bytes = name.utf8
    var count = bytes.prefix { (0x41...0x5A).contains($0) }.count
    // The last of several capitals begins the next word.
    if count > 1, let next = bytes.dropFirst(count).first, (0x61...0x7A).contains(next) {
      count -= 1
    }
    return name.prefix(count).lowercased() + name.dropFirst(count)
  }

  /// The property of a view: `AsDroid` gives `asDroid`.
  static func lowerAs(_ view: String) -> String { "as" + view.dropFirst(2) }

  static func upperFirst(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  /// The struct of an operation: its name, with its kind at the end unless it ends so.
  package static func operation(_ name: String, kind: String) -> String {
    let suffix = upperFirst(kind)
    return definition(name.hasSuffix(suffix) ? name : name + suffix)
  }

  /// The struct of a fragment or operation: its name, with a capital at its beginning.
  package static func definition(_ name: String) -> String {
    free(upperFirst(name), taken: unusableDefinitions, others: platformTypes)
  }

  /// A type inside `enum Schema`.
  package static func schemaMember(_ name: String, schemaName: String) -> String {
    free(name, taken: schemaTypes.union([schemaName]), others: impossibleTypes)
  }

  /// What the types inside `enum Schema`, and the files of scalars, name: types of the runtime, and Swift itself.
  private static let schemaTypes: Set<String> = [
    "AbstractTypes", "CustomScalar", "GraphQLEnum", "GraphQLInputObject", "GraphQLList",
    "GraphQLNullable", "Swift", "Variables",
  ]

  /// The struct of a type condition that `@alias` renames.
  package static func aliased(_ alias: String, taken: Set<String>, others: Set<String>) -> String {
    free(
      upperFirst(alias),
      taken: taken.union(unusableDefinitions).union(["String", "Int", "Double", "Bool", "Result"]),
      others: others)
  }

  /// Whether an enum or input type must stand inside `enum Schema`, because the platform or the
  /// runtime has its name, or it is none in Swift.
  package static func belongsToSchema(_ name: String) -> Bool {
    platformTypes.contains(name) || unusableDefinitions.contains(name)
  }

  /// The Swift case of an enum value: `IN_PROGRESS` is `inProgress`; `fooBar` stays.
  package static func enumCase(_ value: String) -> String {
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
