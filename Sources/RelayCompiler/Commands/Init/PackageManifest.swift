/// The targets of a `Package.swift`, as far as its text says them.
///
/// The manifest is a program, which is not run: only calls such as `.target(name: "App", path: "App")`
/// are read, with string literals as arguments.
struct PackageManifest: Equatable {
  /// A call that declares a target.
  struct Target: Equatable {
    /// The name of the function: `target`, `executableTarget`, `testTarget`, ….
    let kind: String
    let name: String
    /// The argument `path`, without `./` at its start and a slash at its end.
    let path: String?

    /// Whether the target's code may use a store.
    var isProduct: Bool { kind == "target" || kind == "executableTarget" }
  }

  private static let kinds: Set = [
    "target", "executableTarget", "testTarget", "macro", "plugin", "systemLibrary", "binaryTarget",
  ]

  let text: String
  private(set) var targets: [Target] = []
  /// Whether the name or the path of a target is no string literal.
  private(set) var hasUnreadTargets = false

  /// Reads a manifest. A manifest that is not Swift has the targets before the mistake.
  init(_ bytes: ContiguousArray<UInt8>) {
    text = String(decoding: bytes, as: UTF8.self)
    bytes.withUnsafeBufferPointer { buffer in
      try? readTargets(SwiftCursor(bytes: buffer))
    }
  }

  private mutating func readTargets(_ cursor: SwiftCursor) throws(TagError) {
    var position = 0
    while position < cursor.count {
      guard SwiftCursor.isIdentifier(cursor[position]) else {
        position = try cursor.endOfToken(position)
        continue
      }
      let end = cursor.endOfIdentifier(position)
      let isMember = position > 0 && cursor[position - 1] == UInt8(ascii: ".")
      let word = String(decoding: cursor.bytes[position..<end], as: UTF8.self)
      position = try cursor.skipTrivia(end)
      guard isMember, Self.kinds.contains(word), cursor.has(UInt8(ascii: "("), at: position) else {
        continue
      }
      // A dependency `.target(name:)` inside of the call is not another target.
      position = try readTarget(word, from: position + 1, cursor)
    }
  }

  /// Reads the arguments of a call.
  ///
  /// - Returns: The offset after the call.
  private mutating func readTarget(
    _ kind: String, from start: Int, _ cursor: SwiftCursor
  ) throws(TagError) -> Int {
    var texts: [String: String] = [:]
    var labels: Set<String> = []
    var depth = 1
    var position = start
    while position < cursor.count, depth > 0 {
      switch cursor[position] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        position += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        position += 1
      case let byte where SwiftCursor.isIdentifier(byte):
        let end = cursor.endOfIdentifier(position)
        let label = String(decoding: cursor.bytes[position..<end], as: UTF8.self)
        position = try cursor.skipTrivia(end)
        guard depth == 1, cursor.has(UInt8(ascii: ":"), at: position) else { continue }
        labels.insert(label)
        position = try cursor.skipTrivia(position + 1)
        guard position < cursor.count, let literal = cursor.literal(at: position) else { continue }
        let after = try cursor.endOfLiteral(position)
        texts[label] = try Self.text(of: literal, end: after, cursor)
        position = after
      default: position = try cursor.endOfToken(position)
      }
    }
    guard let name = texts["name"], labels.contains("path") == (texts["path"] != nil) else {
      hasUnreadTargets = true
      return position
    }
    targets.append(Target(kind: kind, name: name, path: texts["path"].map(Self.standardized)))
    return position
  }

  /// The text of a literal that is an argument by itself and has no escapes; otherwise `nil`.
  private static func text(
    of literal: SwiftCursor.Literal, end: Int, _ cursor: SwiftCursor
  ) throws(TagError) -> String? {
    let next = try cursor.skipTrivia(end)
    let content = cursor.bytes[literal.contentStart..<end - literal.closingLength]
    guard cursor.has(UInt8(ascii: ","), at: next) || cursor.has(UInt8(ascii: ")"), at: next),
      !literal.isMultiline, !content.contains(UInt8(ascii: "\\"))
    else { return nil }
    return String(decoding: content, as: UTF8.self)
  }

  private static func standardized(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  // MARK: Folders

  /// The folders in which SwiftPM looks for targets without a path.
  static let parents = ["Sources", "Source", "src", "srcs"]

  /// Returns the target whose sources a folder has, or a folder around it.
  ///
  /// - Parameter folder: The path of the folder relative to the package.
  func target(around folder: String) -> Target? {
    let found = targets.filter(\.isProduct).compactMap { target in
      folders(of: target).first { Self.isInside(folder, $0) }.map {
        (target, length: $0.utf8.count)
      }
    }
    return found.max { $0.length < $1.length }?.0
  }

  /// Whether a folder is around the sources of a target.
  func hasTarget(below folder: String) -> Bool {
    targets.contains { target in
      target.isProduct && folders(of: target).contains { Self.isInside($0, folder) }
    }
  }

  /// The folders in which the sources of a target may be.
  func folders(of target: Target) -> [String] {
    target.path.map { [$0] } ?? Self.parents.map { $0 + "/" + target.name }
  }

  private static func isInside(_ path: String, _ folder: String) -> Bool {
    folder == "." || path == folder || path.hasPrefix(folder + "/")
  }
}
