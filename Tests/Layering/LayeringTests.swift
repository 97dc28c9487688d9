import Testing

@Suite("The sources are layered", .timeLimit(.minutes(1)))
struct LayeringTests {
  /// The C libraries and standard library modules that any layer may import.
  private static let system: Set<String> = [
    "Darwin", "Glibc", "Musl", "Android", "Synchronization", "os",
  ]

  static let modules = [
    ModuleLayers(
      name: "RelayStore",
      folders: [
        "Concurrency", "Values", "Persistence", "Records", "Timeline", "Plans", "Binding", "Rows",
        "GeneratedCode",
        "Scalars",
        "Normalization", "Reading", "Updating", "Transport", "Store",
        "Requests", "Environment", "Observable",
      ],
      imports: [
        "*": system, "Scalars": ["Foundation"], "Timeline": ["Foundation"],
        "Store": ["Dispatch", "Foundation"], "Environment": ["Dispatch", "Foundation"],
        "Requests": ["Dispatch", "Foundation"], "Transport": ["Foundation"],
        "Observable": ["Observation"],
      ]),
    ModuleLayers(
      name: "RelayNetwork",
      folders: ["Streaming", "HTTP", "Session", "Wrappers"],
      imports: [
        "*": system.union(["CLibCurl", "Dispatch", "Foundation", "RelayStore"]),
        // Only in RelayURLSession, which has links to these files.
        "Session": ["FoundationNetworking", "RelayNetwork"],
      ]),
    ModuleLayers(
      name: "RelayURLSession", folders: [],
      imports: [
        "*": system.union(["Foundation", "FoundationNetworking", "RelayNetwork", "RelayStore"])
      ]),
    ModuleLayers(
      name: "RelayLive", folders: ["WebSocket", "EventStream"],
      imports: [
        "*": system.union(["Dispatch", "Foundation", "RelayNetwork", "RelayStore"])
      ]),
    ModuleLayers(
      name: "GraphQLLanguage",
      folders: [
        "Text", "Suggestions", "Syntax", "Parsing", "Printing", "Schema", "Rendering", "Coercion",
        "Introspection", "Validation",
      ],
      imports: ["*": system]),
    ModuleLayers(name: "GraphQLFormatting", folders: [], imports: ["*": ["GraphQLLanguage"]]),
    ModuleLayers(
      name: "RelayCompiler",
      folders: [
        "Text", "Naming", "Configuration", "Tags", "Program", "Transforms", "Plans", "Emission",
        "Output", "Index", "Driver", "Manifests", "Projects", "Commands",
      ],
      imports: [
        "*": system.union(["GraphQLLanguage", "Foundation", "FoundationEssentials"])
      ]),
    ModuleLayers(
      name: "RelayTools",
      folders: [
        "Projects", "Formatting", "Lint", "Check", "Explanation", "Session", "Language",
        "CodeActions", "Watching", "LanguageServer", "ContextServer", "Import", "Commands",
      ],
      imports: [
        "*": system.union([
          "GraphQLFormatting", "GraphQLLanguage", "RelayCompiler", "Foundation",
          "FoundationEssentials",
        ]),
        "Commands": ["CLibCurl"],
        "Watching": ["CoreServices", "Dispatch"],
      ]),
    ModuleLayers(
      name: "RelayStoreTesting",
      folders: ["Waiting", "Resolvers", "Generation", "Execution", "Mocks", "Recording"],
      imports: ["*": system.union(["GraphQLLanguage", "RelayStore"])]),
    ModuleLayers(
      name: "RelayLocalQueries", folders: [], imports: ["*": ["Observation", "RelayStore"]]),
    ModuleLayers(
      name: "RelayRecording", folders: ["Timeline", "Differences", "Rendering", "Explaining"],
      imports: ["*": system.union(["Foundation", "RelayStore"])]),
    ModuleLayers(
      name: "RelayInspector", folders: [],
      imports: ["*": system.union(["Dispatch", "Foundation", "RelayRecording", "RelayStore"])]),
    ModuleLayers(
      name: "RelayPersistence",
      folders: ["Objects", "Files", "Format", "Journal", "SQLite", "Outbox", "Snapshots"],
      imports: [
        "*": system.union(["Dispatch", "Foundation", "RelayStore", "SQLite3"]),
        "Objects": ["CoreData", "SwiftData"], "Outbox": ["Network", "Observation"],
      ]),
    ModuleLayers(
      name: "RelaySwiftUI", folders: [], imports: ["*": ["RelayStore", "SwiftUI"]]),
    ModuleLayers(
      name: "relay-compiler", folders: [],
      imports: ["*": system.union(["RelayCompiler", "RelayTools"])]),
    ModuleLayers(
      name: "relay-compile", folders: [], imports: ["*": system.union(["RelayCompiler"])]),
  ]

  @Test(
    "a folder names only types of itself and of lower folders, and imports only allowed modules",
    arguments: modules)
  func layers(module: ModuleLayers) throws {
    let files = try module.files()
    #expect(!files.isEmpty, "\(module.name) has no sources")
    let violations = module.violations(in: files)
    #expect(violations.isEmpty, "\(violations.joined(separator: "\n"))")
  }

  @Test("no dependency cycle within a folder has more than five files", arguments: modules)
  func cycles(module: ModuleLayers) throws {
    let cycles = module.cycles(in: try module.files(), above: 5)
    #expect(cycles.isEmpty, "\(cycles.joined(separator: "\n"))")
  }

  @Test("the check finds a cycle of files, and finds none in an acyclic chain")
  func cycleCheckWorks() {
    let module = ModuleLayers(name: "M", folders: ["Low"], imports: [:])
    func file(_ name: String, _ text: String) -> ModuleLayers.File {
      .init(path: "Low/\(name).swift", folder: "Low", names: SourceNames(text))
    }
    let files = [
      file("A", "struct A { let b: B }"), file("B", "struct B { let c: C }"),
      file("C", "struct C { let a: [A] }"), file("D", "struct D { let a: A }"),
    ]
    #expect(
      module.cycles(in: files, above: 2) == [
        "Low: 3 files name one another: Low/A.swift, Low/B.swift, Low/C.swift"
      ])
    #expect(module.cycles(in: files, above: 3).isEmpty)
  }

  @Test("the check finds a type of a higher layer, an unknown folder, and a forbidden import")
  func checkWorks() {
    let module = ModuleLayers(
      name: "M", folders: ["Low", "High"], imports: ["High": ["Foundation"]])
    func file(_ folder: String, _ text: String) -> ModuleLayers.File {
      .init(path: folder + "/F.swift", folder: folder, names: SourceNames(text))
    }
    let found = module.violations(in: [
      file("Low", "import Foundation\nstruct A { let b: Upper.Part }"),
      file("High", "public import struct Foundation.Date\npublic struct Upper { let a: A }"),
      file("Other", "let a: A"),
      file("", "let b: Upper"),
    ])
    #expect(
      found == [
        "Low/F.swift: \"Upper\" is of the higher layer \"High\"",
        "Low/F.swift: may not import Foundation",
        "Other/F.swift: the folder has no place among the layers",
      ])
  }

  @Test("names in comments, strings, generic parameters and nested types are not uses of a type")
  func reading() {
    let names = SourceNames(
      ##"""
      // Comment
      /* Block /* Nested */ Block */
      private struct Hidden {}
      struct Own<Element: Used> { enum Inner {} ; let a: Inner; let s = "String \(Value("x")) \" Quoted" }
      func f<T>(_ t: T) -> Other.Member { g(#"Raw " Raw"#, """
        Long "quoted" text
        """) }
      """##)
    #expect(names.declared == ["Own"])
    #expect(names.used == ["Hidden", "Own", "Used", "Other"])
  }
}
