import GraphQLLanguage

extension LayoutBuilder {
  mutating func addSchema() {
    addToken()
    addDirectives()
    guard kind == .braceLeft else { return }
    addBlock { builder in
      builder.addToken()
      if builder.addToken(ifOf: .colon) { builder.addSpace() }
      builder.addToken()
    }
  }

  mutating func addTypeDefinition() {
    let isEnum = isAtKeyword(.enum)
    let isInput = isAtKeyword(.input)
    // A brace after a scalar or union starts the next definition, a query.
    let hasBlock = !isAtKeyword(.scalar) && !isAtKeyword(.union)
    addTokenAndSpace()
    addToken()
    if isAtKeyword(.implements) { addInterfaces() }
    addDirectives()
    if kind == .equals {
      addSpace()
      addNames()
    }
    guard hasBlock, kind == .braceLeft else { return }
    addBlock { builder in
      builder.addDescription()
      if isEnum {
        builder.addToken()
        builder.addDirectives()
      } else if isInput {
        builder.addInputValue()
      } else {
        builder.addFieldDefinition()
      }
    }
  }

  private mutating func addInterfaces() {
    addSpace()
    addTokenAndSpace()
    if addToken(ifOf: .ampersand) { addSpace() }
    addToken()
    while kind == .ampersand {
      addSpace()
      addTokenAndSpace()
      addToken()
    }
  }

  private mutating func addFieldDefinition() {
    addToken()
    if kind == .parenLeft { addArgumentDefinitions() }
    if addToken(ifOf: .colon) { addSpace() }
    addType()
    addDirectives()
  }

  private mutating func addArgumentDefinitions() {
    addList(to: .parenRight) { builder in
      builder.addDescriptionInList()
      builder.addInputValue()
    }
  }

  /// Appends the description of an argument or variable. A plain string goes on the same line if
  /// the list does; any other description gets its own lines.
  mutating func addDescriptionInList() {
    guard kind == .string else { return addDescription() }
    addToken()
    addLine(.space)
  }

  /// Appends a name with its type, default value and directives.
  mutating func addInputValue() {
    addToken()
    if addToken(ifOf: .colon) { addSpace() }
    addType()
    if kind == .equals {
      addSpace()
      addTokenAndSpace()
      addValue()
    }
    addDirectives()
  }

  private mutating func addType() {
    while addToken(ifOf: .bracketLeft) {}
    addToken()
    while kind == .bracketRight || kind == .exclamationMark { addToken() }
  }

  mutating func addDirectiveDefinition() {
    addTokenAndSpace()
    addToken()
    addToken()
    if kind == .parenLeft { addArgumentDefinitions() }
    addSpace()
    if isAtKeyword(.repeatable) { addTokenAndSpace() }
    addNames()
  }

  /// Appends `=` or `on`, then names separated by `|`, on one line or one per line. A `|` before
  /// the first name always breaks the lines.
  private mutating func addNames() {
    addToken()
    addGroup { builder in
      builder.addIndented { $0.addSeparatedNames() }
    }
  }

  private mutating func addSeparatedNames() {
    if kind == .pipe {
      addHardLine()
    } else {
      // The extra indentation aligns the first name with the ones after each `|`.
      addIndented { builder in
        builder.addLine(.space)
        builder.addToken()
      }
    }
    while kind == .pipe {
      addLine(.space)
      addTokenAndSpace()
      addToken()
    }
  }
}
