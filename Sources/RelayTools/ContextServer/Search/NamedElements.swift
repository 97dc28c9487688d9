/// The elements that a query names as the schema writes them.
struct NamedElements {
  /// The elements whose kind is next to their name, as in `type Repository`.
  private(set) var ofKind: Set<Int> = []
  /// The types that are named anywhere.
  private(set) var types: Set<Int> = []

  private static let typeKinds: Set<ElementSearch.Kind> = [
    .object, .interface, .union, .enum, .input, .scalar,
  ]
  /// The kinds that a word stands for, except fields of the root types.
  private static let kinds: [String: Set<ElementSearch.Kind>] = [
    "type": typeKinds, "object": [.object], "interface": [.interface], "union": [.union],
    "enum": [.enum], "input": [.input], "scalar": [.scalar], "field": [.field, .inputField],
    "directive": [.directive],
  ]

  /// Finds the names in a query. Case distinguishes a name from a word, as in `the type of a User`,
  /// unless the query is only a kind and a name.
  init(_ query: String, in index: ElementIndex) {
    let words = query.split { !$0.isLetter && !$0.isNumber && !"_.@".contains($0) }
      .map { String($0.drop { $0 == "." }) }
    for (position, word) in words.enumerated() {
      let found = Self.elements(named: word, in: index, ignoringCase: false)
      if word.contains(where: \.isUppercase) {
        types.formUnion(found.filter { Self.typeKinds.contains(index.items[$0].kind) })
      }
      for neighbor in [position - 1, position + 1] where words.indices.contains(neighbor) {
        let isAlone = words.count == 2 && neighbor == 0
        let named =
          isAlone ? Self.elements(named: word, in: index, ignoringCase: true) : found
        ofKind.formUnion(
          named.filter { Self.isKind(words[neighbor].lowercased(), of: index.items[$0], index) })
      }
    }
  }

  private static func elements(
    named word: String, in index: ElementIndex, ignoringCase: Bool
  ) -> [Int] {
    let plain = word.drop { $0 == "@" }
    let name = plain.split(separator: ".").last ?? plain
    let found = index.wholeNames[ElementIndex.wholeName(name)] ?? []
    return found.filter { element in
      let item = index.items[element]
      let full = plain.contains(".") ? item.coordinate[...] : item.name.drop { $0 == "@" }
      return full == plain || ignoringCase && full.lowercased() == plain.lowercased()
    }
  }

  private static func isKind(
    _ word: String, of item: ElementSearch.Item, _ index: ElementIndex
  ) -> Bool {
    if let kinds = kinds[word] { return kinds.contains(item.kind) }
    return index.roots[word].map { $0 == item.owner } ?? false
  }
}
