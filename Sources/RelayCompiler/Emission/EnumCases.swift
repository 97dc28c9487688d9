import GraphQLLanguage

/// The Swift cases of an enum type.
struct EnumCases {
  private let names: [Symbol: String]

  /// Names the cases. Values that need no underscore are named first, so that no underscored value
  /// takes another value's name.
  init(_ type: NamedType, symbols: SymbolTable) {
    var names: [Symbol: String] = [:]
    var taken = SwiftName.enumMembers
    var clashing: [Symbol] = []
    for value in type.enumValues {
      let name = SwiftName.enumCase(symbols[value.symbol])
      if taken.insert(name).inserted {
        names[value.symbol] = name
      } else {
        clashing.append(value.symbol)
      }
    }
    for symbol in clashing {
      let name = SwiftName.free(SwiftName.enumCase(symbols[symbol]), taken: taken)
      taken.insert(name)
      names[symbol] = name
    }
    self.names = names
  }

  /// Returns the case of a value, in backticks where needed.
  func escaped(_ value: Symbol) -> String { SwiftName.escaped(names[value] ?? "unrecognized") }
}
