import GraphQLLanguage

// The pieces of members. They write directly to the printer's buffer, because allocating a string
// for each piece would dominate the cost of emitting a member.

/// A member's Swift type: a named type, possibly in lists, between `opening` and `closing`.
struct MemberType: PrintedItem {
  var opening = ""
  let namedType: String
  var shape = TypeShape.named.nonNull
  /// The code after the type; for a parameter, it includes the default value.
  var closing = ""

  func write(to text: inout UTF8Buffer) {
    text += opening
    write(shape, to: &text)
    text += closing
  }

  /// Appends the type as it appears in snapshots: `GraphQLList<String?>?`.
  private func write(_ shape: TypeShape, to text: inout UTF8Buffer) {
    if let item = shape.item {
      text += "GraphQLList<"
      write(item, to: &text)
      text += ">"
    } else {
      text += namedType
    }
    if !shape.isNonNull { text += "?" }
  }
}

/// A parameter of a memberwise initializer.
struct MemberParameter: PrintedItem {
  let name: String
  let type: MemberType
  /// Whether the argument has no label.
  var isUnlabelled = false

  func write(to text: inout UTF8Buffer) {
    if isUnlabelled { text += "_ " }
    text += name
    text += ": "
    type.write(to: &text)
  }
}

/// A parameter of an optimistic response's `complete`, which passes it to the memberwise
/// initializer.
struct CompleteParameter: PrintedItem {
  let parameter: MemberParameter
  /// Whether the initializer's parameter is a `GraphQLNullable`, for which `nil` means omitted.
  var isConverted = false

  func write(to text: inout UTF8Buffer) { parameter.write(to: &text) }

  /// Appends the argument for the initializer's parameter of the same name.
  func writeArgument(to text: inout UTF8Buffer) {
    if !parameter.isUnlabelled {
      text += SwiftName.label(parameter.name)
      text += ": "
    }
    text += parameter.name
    if isConverted { text += " ?? .null" }
  }
}

/// The expression that a memberwise initializer puts in a slot.
enum SlotExpression: PrintedItem {
  /// An absent value.
  case absent
  /// A type condition that holds.
  case matches
  /// A parameter or literal.
  case value(String)
  /// An optional parameter; the slot is absent when it is `nil`.
  case optional(String)

  var isAbsent: Bool { if case .absent = self { true } else { false } }

  func write(to text: inout UTF8Buffer) {
    switch self {
    case .absent: text += "RowSlot.absent"
    case .matches: text += "RowSlot.matches"
    case .value(let name): text += name
    case .optional(let name):
      text += "RowSlot.optional("
      text += name
      text += ")"
    }
  }
}

/// The expression that reads a field.
enum ReadExpression: PrintedItem {
  case slot(Int)
  case object(Int)
  case spread(Int)
  case literal(String)

  func write(to text: inout UTF8Buffer) {
    switch self {
    case .slot(let slot):
      text += "__row["
      text += slot
      text += "]"
    case .object(let slot):
      text += "__row.object("
      text += slot
      text += ")"
    case .spread(let slot):
      text += "__row.spread("
      text += slot
      text += ")"
    case .literal(let literal): text += literal
    }
  }
}
