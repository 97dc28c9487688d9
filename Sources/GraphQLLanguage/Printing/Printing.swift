extension Document {
  /// Returns the canonical text, as the reference implementation prints it, without a line feed at
  /// the end.
  ///
  /// - Complexity: O(*n*) in the size of the text.
  public func text() -> String {
    var printer = Printer(symbols: symbols)
    printer.write(self)
    return printer.text
  }

  /// Returns the text of the document with as little white space as possible, for requests.
  public func compactText() -> String {
    TokenCompactor.compact(Array(text().utf8), symbols: symbols)
  }
}

extension SymbolTable {
  /// Returns the canonical text of a definition.
  public func text(of definition: Definition) -> String { printed { $0.write(definition) } }

  /// Returns the canonical text of a selection.
  public func text(of selection: Selection) -> String { printed { $0.write(selection) } }

  /// Returns the canonical text of a value.
  public func text(of value: Value) -> String { printed { $0.write(value) } }

  /// Returns the canonical text of a type reference.
  public func text(of type: TypeReference) -> String {
    type.shape.text(around: self[type.name.symbol])
  }

  private func printed(_ write: (inout Printer) -> Void) -> String {
    var printer = Printer(symbols: self)
    write(&printer)
    return printer.text
  }
}
