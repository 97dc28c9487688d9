import GraphQLLanguage

// What members are made of, written where it stands: a string for each would cost more than all else about them.

/// A member's Swift type: a leaf's name, the lists around it, and what stands around that.
struct MemberType: PrintedItem {
  var opening = ""
  let leaf: String
  var shape = TypeShape.named.nonNull
  /// With the default, where it is a parameter's.
  var closing = ""

  func write(to text: inout TextBuffer) {
    text += opening
    write(shape, to: &text)
    text += closing
  }

  /// The type in a snapshot: `GraphQLList<String?>?`.
  private func write(_ shape: TypeShape, to text: inout TextBuffer) {
    if let item = shape.item {
      text += "GraphQLList<"
      write(item, to: &text)
      text += ">"
    } else {
      text += leaf
    }
    if !shape.isNonNull { text += "?" }
  }
}

/// A parameter of a memberwise initializer.
struct MemberParameter: PrintedItem {
  let name: String
  let type: MemberType

  func write(to text: inout TextBuffer) {
    text += name
    text += ": "
    type.write(to: &text)
  }
}

/// What a memberwise initializer puts into a slot.
enum SlotExpression: PrintedItem {
  case absent
  case matches
  /// A parameter or literal.
  case value(String)
  /// The same of one that may be nil.
  case optional(String)

  var isAbsent: Bool { if case .absent = self { true } else { false } }

  func write(to text: inout TextBuffer) {
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

  func write(to text: inout TextBuffer) {
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
