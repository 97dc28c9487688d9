extension Document {
  /// Returns the document in canonical form, as the reference implementation prints it, without a
  /// final line feed.
  ///
  /// - Complexity: O(*n*) in the size of the output.
  public func text() -> String {
    var printer = Printer(symbols: symbols)
    printer.write(self)
    return printer.text
  }

  /// Returns the document with as little white space as possible, for requests.
  public func compactText() -> String {
    TokenCompactor.compact(Array(text().utf8), symbols: symbols)
  }
}

extension SymbolTable {
  /// Returns a definition in canonical form.
  public func text(of definition: Definition) -> String { printed { $0.write(definition) } }

  /// Returns a selection in canonical form.
  public func text(of selection: Selection) -> String { printed { $0.write(selection) } }

  /// Returns a value in canonical form.
  public func text(of value: Value) -> String { printed { $0.write(value) } }

  /// Returns a type reference in canonical form.
  public func text(of type: TypeReference) -> String {
    type.shape.text(around: self[type.name.symbol])
  }

  private func printed(_ write: (inout Printer) -> Void) -> String {
    var printer = Printer(symbols: self)
    write(&printer)
    return printer.text
  }
}
