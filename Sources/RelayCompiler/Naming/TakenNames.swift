/// The names of a struct's members so far.
///
/// Nearly all structs have few, which are looked through; more are hashed.
struct TakenNames {
  private static let searchLimit = 32

  private var names: [String]
  private var hashed: Set<String> = []

  init(_ names: [String]) { self.names = names }

  /// A name for a member: the one given, with underscores where it is taken or impossible.
  mutating func claim(_ name: String) -> String {
    var result = name
    while SwiftName.isTakenMember(result) || contains(result) { result += "_" }
    add(result)
    return result
  }

  mutating func add(_ name: String) {
    names.append(name)
    if names.count == Self.searchLimit + 1 {
      hashed = Set(names)
    } else if names.count > Self.searchLimit {
      hashed.insert(name)
    }
  }

  private func contains(_ name: String) -> Bool {
    names.count > Self.searchLimit ? hashed.contains(name) : names.contains(name)
  }
}
