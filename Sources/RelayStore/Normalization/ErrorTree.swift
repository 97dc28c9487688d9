/// The errors of a response as a tree, by the paths of their fields.
struct ErrorTree: Sendable {
  private(set) var messages: [String] = []
  private(set) var children: [ResponsePath.Component: ErrorTree] = [:]
  /// The length at which paths are truncated. Limits the depth of the tree, because a server
  /// chooses the paths.
  private static let pathLimit = 512

  /// Creates a tree of the errors that have a path.
  ///
  /// - Complexity: O(*n*) in the components of all paths.
  init(_ errors: [GraphQLError]) {
    for error in errors where !error.path.components.isEmpty {
      insert(error.message, at: error.path.components.prefix(Self.pathLimit))
    }
  }

  private init() {}

  private mutating func insert(_ message: String, at path: ArraySlice<ResponsePath.Component>) {
    guard let first = path.first else {
      messages.append(message)
      return
    }
    children[first, default: ErrorTree()].insert(message, at: path.dropFirst())
  }

  /// The errors below a path component; `nil` if there are none.
  subscript(component: ResponsePath.Component) -> ErrorTree? { children[component] }

  /// The errors at and below a path; `nil` if there are none.
  func subtree(at path: [ResponsePath.Component]) -> ErrorTree? {
    path.reduce(Optional(self)) { $0?[$1] }
  }

  /// Returns the errors that explain why this value, or elements of this list, are null.
  func errorsOfNulls(in value: FieldValue, at path: ResponsePath = []) -> [StoredError] {
    func errorsOfElements(_ isNull: [Bool], _ element: (Int) -> FieldValue) -> [StoredError] {
      isNull.indices.flatMap { position in
        self[.index(position)]?.errorsOfNulls(
          in: isNull[position] ? .null : element(position), at: path.appending(.index(position)))
          ?? []
      }
    }
    switch value {
    case .null:
      var (components, found) = (path.components, [] as [StoredError])
      collect(from: &components, into: &found)
      return found
    case .links(let links): return errorsOfElements(links.map { $0 == .none }) { .link(links[$0]) }
    case .list(let values): return errorsOfElements(values.map { $0 == .null }) { values[$0] }
    default: return []
    }
  }

  /// Appends all errors of this subtree, with their paths.
  private func collect(
    from path: inout [ResponsePath.Component], into found: inout [StoredError]
  ) {
    for message in messages {
      found.append(StoredError(message: message, path: ResponsePath(path)))
    }
    for (component, tree) in children.sorted(by: { $0.key.precedes($1.key) }) {
      path.append(component)
      tree.collect(from: &path, into: &found)
      path.removeLast()
    }
  }
}

extension ResponsePath.Component {
  fileprivate func precedes(_ other: ResponsePath.Component) -> Bool {
    switch (self, other) {
    case (.field(let a), .field(let b)): a.precedesByBytes(b)
    case (.index(let a), .index(let b)): a < b
    case (.index, .field): true
    case (.field, .index): false
    }
  }
}
