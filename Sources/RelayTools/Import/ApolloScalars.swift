/// The Swift types of custom scalars, read from Apollo's `CustomScalars/<Name>.swift` files.
struct ApolloScalars {
  /// The types for `customScalarTypes`.
  private(set) var types: [String: String] = [:]
  private(set) var notes: [MigrationNote] = []

  /// The types that already conform to `CustomScalar`, as a type alias names them.
  private static let known: Set = [
    "Int", "Double", "Float", "Bool", "Foundation.Date", "Foundation.URL", "Foundation.UUID",
    "Foundation.Decimal",
  ]
  private static let foundation: Set<String> = ["Date", "URL", "UUID", "Decimal"]

  /// Reads the files of custom scalars.
  ///
  /// - Parameters:
  ///   - names: The scalars that documents use.
  ///   - files: The contents of files named after scalars, with their paths for notes.
  init(_ names: [String], files: [String: (path: String, bytes: ContiguousArray<UInt8>)]) {
    for name in names {
      if name == "Upload" {
        types[name] = "RelayStore.Upload"
        notes.add(
          .mapped, at: files[name]?.path ?? "", of: "scalar Upload",
          "It is `RelayStore.Upload`: pass an `Upload` as a variable to `environment.commit`."
        )
      } else if let file = files[name] {
        add(name, String(decoding: file.bytes, as: UTF8.self), at: file.path)
      } else {
        notes.add(
          .manual, at: "", of: "scalar \(name)",
          "It is a `String` until you say otherwise, in CustomScalars/\(name).swift or \"customScalarTypes\": `Docs/Reference/Fragments.md`."
        )
      }
    }
  }

  private mutating func add(_ name: String, _ text: String, at path: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let found = lines.enumerated().first { $1.contains("typealias \(name) =") }
    let line = found?.offset ?? lines.firstIndex { $0.contains(" \(name)") && !$0.hasPrefix("//") }
    let place = "\(path):\((line ?? 0) + 1)"
    var type = found.map { $1[($1.firstIndex(of: "=") ?? $1.startIndex)...].dropFirst() }
      .map { $0.filter { $0 != " " && $0 != "\r" } }
    if let base = type, base.hasPrefix("Swift.") { type = String(base.dropFirst(6)) }
    if let base = type, Self.foundation.contains(base), text.contains("import Foundation") {
      type = "Foundation.\(base)"
    }
    if type == "String" {
      let subject = "scalar \(name)"
      return notes.add(.mapped, at: place, of: subject, "It is a `String`, as in Apollo's file.")
    }
    guard let type, Self.known.contains(type) else {
      return notes.add(
        .manual, at: place, of: "scalar \(name)",
        "Its Swift type is your own. Let the type conform to `CustomScalar` (`init(json:)` and `json`), and name it in CustomScalars/\(name).swift or \"customScalarTypes\"; until then it is a `String`: `Docs/Reference/Fragments.md`."
      )
    }
    types[name] = type
    let isDate = type == "Foundation.Date"
    notes.add(
      isDate ? .manual : .mapped, at: place, of: "scalar \(name)",
      "It is `\(type)` in \"customScalarTypes\"."
        + (isDate
          ? " Dates are read as ISO 8601 with a time and an offset; for another format name your own type."
          : "")
    )
  }
}
