import GraphQLLanguage

extension LayoutBuilder {
  mutating func addOperation() {
    addToken()
    if kind == .name || kind == .parenLeft { addSpace() }
    addToken(ifOf: .name)
    if kind == .parenLeft { addList(to: .parenRight) { $0.addVariableDefinition() } }
    addDirectivesOfDefinition()
    addSelectionSet()
  }

  private mutating func addVariableDefinition() {
    addDescriptionInList()
    if kind == .dollar { addToken() }
    addInputValue()
  }

  mutating func addFragment() {
    for _ in 0..<3 { addTokenAndSpace() }
    addToken()
    addDirectivesOfDefinition()
    addSelectionSet()
  }

  mutating func addSelectionSet() {
    addBlock { $0.addSelection() }
  }

  private mutating func addSelection() {
    if kind == .spread {
      addSpread()
    } else {
      addToken()
      if addToken(ifOf: .colon) {
        addSpace()
        addToken()
      }
      if kind == .parenLeft { addArguments() }
      addDirectives()
    }
    if kind == .braceLeft { addSelectionSet() }
  }

  private mutating func addSpread() {
    addToken()
    if isAtKeyword(.on) {
      addSpace()
      addTokenAndSpace()
      addToken()
    } else {
      addToken(ifOf: .name)
    }
    addDirectives()
  }

  // MARK: Directives

  /// Appends the directives of an operation or fragment, either on the line of its name or one per
  /// line without indentation.
  private mutating func addDirectivesOfDefinition() {
    guard kind == .at else { return }
    addGroup { $0.addDirectiveLines() }
  }

  /// Appends directives, either on the line of the node they annotate or one per line.
  mutating func addDirectives() {
    guard kind == .at else { return }
    addGroup { builder in builder.addIndented { $0.addDirectiveLines() } }
  }

  private mutating func addDirectiveLines() {
    while kind == .at {
      addLine(.space)
      addToken()
      addToken()
      if kind == .parenLeft { addArguments() }
    }
  }

  private mutating func addArguments() {
    addList(to: .parenRight) { $0.addField() }
  }

  // MARK: Values

  /// Appends an argument, or the field of an object value.
  private mutating func addField() {
    addToken()
    if addToken(ifOf: .colon) { addSpace() }
    addValue()
  }

  mutating func addValue() {
    switch kind {
    case .bracketLeft: addList(to: .bracketRight) { $0.addValue() }
    case .braceLeft: addList(to: .braceRight, padding: .space) { $0.addField() }
    case .dollar:
      addToken()
      addToken()
    default: addToken()
    }
  }
}
