extension Document {
  /// The canonical text: what the reference implementation prints, without a line end at the end.
  ///
  /// - Complexity: O(*n*) in the size of the text.
  public func text() -> String {
    var printer = Printer(symbols: symbols)
    printer.write(self)
    return printer.text
  }

  /// The same document in the fewest bytes, for requests.
  public func compactText() -> String {
    CompactText.compact(Array(text().utf8), symbols: symbols)
  }
}

extension SymbolTable {
  /// The canonical text of a definition.
  public func text(of definition: Definition) -> String { printed { $0.write(definition) } }

  /// The canonical text of a selection.
  public func text(of selection: Selection) -> String { printed { $0.write(selection) } }

  /// The canonical text of a value.
  public func text(of value: Value) -> String { printed { $0.write(value) } }

  /// The canonical text of a type reference.
  public func text(of type: TypeReference) -> String {
    type.shape.text(around: self[type.name.symbol])
  }

  private func printed(_ write: (inout Printer) -> Void) -> String {
    var printer = Printer(symbols: self)
    write(&printer)
    return printer.text
  }
}
