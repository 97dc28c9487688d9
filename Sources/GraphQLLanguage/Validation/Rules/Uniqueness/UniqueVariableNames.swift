extension Rules {
  /// Requires the variables of an operation to have distinct names.
  static let uniqueVariableNames: Rule = { context, visitors in
    visitors.operation.append { operation in
      for names in repeated(operation.variables.map(\.name)) {
        context.report(
          "unique-variable-names",
          "There can be only one variable named \"$\(context.text(names[0].symbol))\".",
          at: names.map(\.span))
      }
    }
  }

  /// Returns the names that occur more than once, each with all its occurrences, in order of first
  /// occurrence.
  static func repeated(_ names: [Name]) -> [[Name]] {
    guard names.count > 1 else { return [] }
    var positions: [Symbol: Int] = [:]
    var groups: [[Name]] = []
    for name in names {
      if let position = positions[name.symbol] {
        groups[position].append(name)
      } else {
        positions[name.symbol] = groups.count
        groups.append([name])
      }
    }
    return groups.filter { $0.count > 1 }
  }
}
