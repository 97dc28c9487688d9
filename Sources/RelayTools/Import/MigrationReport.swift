/// The report of an import, in Markdown: the files written, and the remaining work.
struct MigrationReport {
  static let fileName = "Migration.md"

  /// A definition whose Swift type had a different name in Apollo's generated code.
  struct TypeName {
    let place: String
    let apollo: String
    let own: String
  }

  var notes: [MigrationNote] = []
  var typeNames: [TypeName] = []
  /// The paths of the files written, relative to the output folder.
  var files: [String] = []
  /// The compiler's diagnostics about the imported files; empty if there are none.
  var diagnostics = ""

  /// Returns the number of notes of a kind.
  func count(of kind: MigrationNote.Kind) -> Int { notes.count { $0.kind == kind } }

  /// The report as Markdown.
  var markdown: String {
    var text = """
      # Migration from Apollo iOS

      Written by `relay-compiler import apollo`. Paths are relative to the folder of the codegen configuration; its files were not changed. \
      The guide `Docs/ComingFromApollo.md` of RelayStore explains each step.

      """
    for kind in MigrationNote.Kind.allCases {
      let notes = notes.filter { $0.kind == kind }
      if notes.isEmpty { continue }
      text += "\n## \(kind.title)\n\n" + notes.map(\.markdown).joined()
    }
    text += "\n## Names in generated code\n\n" + namesText
    if !diagnostics.isEmpty {
      text += """

        ## Compiler messages

        Correct these in the app's documents and import again to another folder, or in the imported \
        files. Definitions that need another name in Swift are found when there are no errors.

        ```
        \(diagnostics)```

        """
    }
    text += "\n## Files\n\n" + files.map { "- \(MigrationNote.code($0))\n" }.joined()
    return text
  }

  private var namesText: String {
    var text = """
      - Operations and fragments keep their names\(typeNames.isEmpty ? "" : ", except those in the table below").
      - `XQuery.Data.Hero` is `XQuery.Data.Character_hero`: the type of the field, then its response key. List names are not singularized. `relay-compiler explain XQuery` lists the types of a definition.
      - The fields of a spread fragment are not part of the object around it: `hero.fragments.heroDetails` is a reference that `environment.read` and \
      `environment.observe` turn into data. `...HeroDetails @relay(mask: false)` merges them, as Apollo did.
      - `GraphQLEnum<Episode>` is `Episode`, with the case `unrecognized(String)`. `GraphQLNullable` has the same name and cases.
      - `.init(…)` of a selection set is the initializer of the generated struct; mutations have a `RawResponse` for optimistic responses.

      """
    if typeNames.isEmpty { return text }
    text += "\n| in | Apollo | RelayStore |\n|---|---|---|\n"
    for name in typeNames {
      text += "| \(MigrationNote.code(name.place)) | `\(name.apollo)` | `\(name.own)` |\n"
    }
    return text
  }
}
