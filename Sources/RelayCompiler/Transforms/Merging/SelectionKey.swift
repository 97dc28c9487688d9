import GraphQLLanguage

/// The identity by which selections are merged: a field's response key, or a spread's fragment with
/// its arguments and alias.
struct SelectionKey: Hashable {
  private struct SpreadDetails: Hashable {
    let argumentsText: String
    let alias: Symbol?
  }

  private let name: Symbol
  private let isSpread: Bool
  /// The arguments and alias of a spread; `nil` for most spreads.
  private var spreadDetails: SpreadDetails?

  init(field responseKey: Symbol) {
    name = responseKey
    isSpread = false
  }

  init(_ spread: IR.Spread) {
    name = spread.name
    isSpread = true
    if !spread.argumentsText.isEmpty || spread.alias != nil {
      spreadDetails = SpreadDetails(argumentsText: spread.argumentsText, alias: spread.alias)
    }
  }
}

extension IR.Selection.Content {
  /// The identity by which the selection is merged with others; `nil` for type conditions.
  var key: SelectionKey? {
    switch self {
    case .field(let field): SelectionKey(field: field.responseKey)
    case .spread(let spread): SelectionKey(spread)
    case .inlineFragment: nil
    }
  }
}

extension IR.Selection {
  /// The identity by which the selection is merged with others; `nil` for type conditions.
  var key: SelectionKey? { content.key }
}

/// The positions of keys, in insertion order.
///
/// Nearly all objects have few selections, which are searched linearly; longer lists are hashed.
struct KeyPositions {
  private static let searchLimit = 24

  private var keys: [SelectionKey] = []
  private var hashed: [SelectionKey: Int] = [:]

  subscript(_ key: SelectionKey) -> Int? {
    keys.count > Self.searchLimit ? hashed[key] : keys.firstIndex(of: key)
  }

  mutating func reserveCapacity(_ count: Int) { keys.reserveCapacity(count) }

  /// Appends a key, which must be new.
  mutating func append(_ key: SelectionKey) {
    keys.append(key)
    if keys.count == Self.searchLimit + 1 {
      for (position, key) in keys.enumerated() { hashed[key] = position }
    } else if keys.count > Self.searchLimit {
      hashed[key] = keys.count - 1
    }
  }
}

/// A detector of duplicate symbols that needs no new set for each check.
struct DuplicateDetector {
  /// The last round in which each symbol was seen, by symbol index.
  private var rounds: [UInt32] = []
  private var round: UInt32 = 0

  /// Returns whether all elements have a symbol and the symbols are distinct.
  mutating func areDifferent<Element>(
    _ elements: [Element], by symbol: (Element) -> Symbol?
  ) -> Bool {
    if round == .max { (rounds, round) = ([], 0) }
    round += 1
    return elements.allSatisfy { element in
      guard let index = symbol(element).map({ Int($0.index) }) else { return false }
      if index >= rounds.count {
        rounds += [UInt32](repeating: 0, count: max(index + 1, 2 * rounds.count) - rounds.count)
      }
      defer { rounds[index] = round }
      return rounds[index] != round
    }
  }
}
