/// The member names already used in a struct.
///
/// Most structs have few members, so they are searched linearly. Beyond `searchLimit` names, a set
/// takes over.
struct TakenNames {
  private static let searchLimit = 32

  private var names: [String]
  private var hashed: Set<String> = []

  init(_ names: [String]) { self.names = names }

  /// Claims a name for a member: `name`, with underscores appended while it is taken or unusable.
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
