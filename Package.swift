// swift-tools-version: 6.3
import PackageDescription

// No package dependencies, ever: a promise to users, checked in CI.
let package = Package(
  name: "RelayStore",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    // What an app with a server needs. The core alone is for apps with a transport of their own.
    .library(name: "RelayStore", targets: ["RelayStore", "RelayNetwork"]),
    .library(name: "RelayStoreCore", targets: ["RelayStore"]),
    .library(name: "RelayLive", targets: ["RelayLive"]),
    .library(name: "RelayLocalQueries", targets: ["RelayLocalQueries"]),
    // Empty on Apple's platforms.
    .library(name: "RelayURLSession", targets: ["RelayURLSession"]),
    .library(name: "RelayPersistence", targets: ["RelayPersistence"]),
    .library(name: "RelaySwiftUI", targets: ["RelaySwiftUI"]),
    .library(name: "RelayStoreTesting", targets: ["RelayStoreTesting"]),
    .library(name: "RelayRecording", targets: ["RelayRecording"]),
    .library(name: "RelayInspector", targets: ["RelayInspector"]),
    .library(name: "GraphQLLanguage", targets: ["GraphQLLanguage"]),
    .library(name: "RelayCompiler", targets: ["RelayCompiler"]),
    .library(name: "RelayTools", targets: ["RelayTools"]),
    .executable(name: "relay-compiler", targets: ["relay-compiler"]),
    .plugin(name: "RelayCompilerPlugin", targets: ["RelayCompilerPlugin"]),
    .plugin(name: "RelayCompilerCommand", targets: ["RelayCompilerCommand"]),
  ],
  targets: [
    .target(name: "RelayStore"),
    // Requests over HTTP, and what wraps a transport.
    .target(
      name: "RelayNetwork",
      dependencies: [
        "RelayStore", .target(name: "CLibCurl", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: [
        .define("URLSESSION", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS]))
      ]),
    // `URLSession` where it is a library of its own, FoundationNetworking: loading that takes
    // longer than all others. The files are RelayNetwork's.
    .target(
      name: "RelayURLSession", dependencies: ["RelayNetwork", "RelayStore"],
      swiftSettings: [.define("URLSESSION", .when(platforms: [.linux, .android, .windows]))]),
    // Subscriptions over WebSockets and event streams.
    .target(name: "RelayLive", dependencies: ["RelayNetwork", "RelayStore"]),
    // Loads the system's libcurl, and calls its variadic functions.
    .target(name: "CLibCurl"),
    // A store and mutations that survive the end of the process, and files for other processes.
    // SQLite is the system's, found at run time.
    .target(name: "RelayPersistence", dependencies: ["RelayStore"]),
    // Empty where there is no SwiftUI.
    // Lists of the store's records, filtered and sorted by Swift code.
    .target(name: "RelayLocalQueries", dependencies: ["RelayStore"]),
    .target(name: "RelaySwiftUI", dependencies: ["RelayStore"]),
    .target(name: "GraphQLLanguage"),
    .target(name: "GraphQLFormatting", dependencies: ["GraphQLLanguage"]),
    .target(name: "RelayStoreTesting", dependencies: ["RelayStore", "GraphQLLanguage"]),
    // Timelines of a store, and explanations of its behavior.
    .target(name: "RelayRecording", dependencies: ["RelayStore"]),
    // A page that shows it.
    .target(
      name: "RelayInspector", dependencies: ["RelayRecording", "RelayStore"],
      resources: [
        .embedInCode("Page/page.html"), .embedInCode("Page/page.css"),
        .embedInCode("Page/model.js"), .embedInCode("Page/list.js"),
        .embedInCode("Page/tree.js"), .embedInCode("Page/graph.js"),
        .embedInCode("Page/why.js"), .embedInCode("Page/range.js"),
        .embedInCode("Page/views.js"), .embedInCode("Page/compare.js"),
        .embedInCode("Page/main.js"),
      ]),
    .target(name: "RelayCompiler", dependencies: ["GraphQLLanguage"]),
    // The commands that are not needed to build: the language server, `init`, `format`, ….
    .target(
      name: "RelayTools",
      dependencies: [
        "RelayCompiler", "GraphQLFormatting", "GraphQLLanguage",
        .target(name: "CLibCurl", condition: .when(platforms: [.linux])),
      ],
      // Links to files of Editors, which `init --editor` writes.
      resources: [
        .embedInCode("EditorFiles/emacs_dir_locals.el"),
        .embedInCode("EditorFiles/emacs_relay_store.el"),
        .embedInCode("EditorFiles/helix_languages.toml"),
        .embedInCode("EditorFiles/neovim_injections.scm"),
        .embedInCode("EditorFiles/neovim_nvim.lua"), .embedInCode("EditorFiles/neovim_relay.lua"),
        .embedInCode("EditorFiles/vscode_connection.js"),
        .embedInCode("EditorFiles/vscode_extension.js"),
        .embedInCode("EditorFiles/vscode_features.js"),
        .embedInCode("EditorFiles/vscode_graphql.json"),
        .embedInCode("EditorFiles/vscode_language.json"),
        .embedInCode("EditorFiles/vscode_package.json"),
        .embedInCode("EditorFiles/vscode_settings.json"),
        .embedInCode("EditorFiles/vscode_tags.json"), .embedInCode("EditorFiles/vscode_tasks.json"),
        .embedInCode("EditorFiles/zed_settings.json"), .embedInCode("EditorFiles/zed_tasks.json"),
      ]),
    .executableTarget(name: "relay-compiler", dependencies: ["RelayTools", "RelayCompiler"]),
    // The tool of the plugins, with the command `compile` alone: every app's first build compiles
    // it.
    .executableTarget(name: "relay-compile", dependencies: ["RelayCompiler"]),
    .plugin(name: "RelayCompilerPlugin", capability: .buildTool(), dependencies: ["relay-compile"]),
    .plugin(
      name: "RelayCompilerCommand",
      capability: .command(
        intent: .custom(
          verb: "relay-compile",
          description: "Compile graphql tags to Swift under artifactDirectory."),
        permissions: [
          .writeToPackageDirectory(reason: "Writes the generated Swift files.")
        ]),
      dependencies: ["relay-compile"]),
    // The example's own server, which the tests use too.
    .target(
      name: "TaskTrackerServer", dependencies: ["RelayStore", "RelayStoreTesting"],
      path: "Examples/TaskTracker/Sources/TaskTrackerServer",
      resources: [.embedInCode("schema.graphql"), .embedInCode("seed.json")]),
    // What tests choose at random, from a printed seed.
    .target(name: "SeededRandom", path: "Tests/SeededRandom"),
    // Checks of the store's structures; empty in release builds.
    .target(
      name: "InvariantChecks", dependencies: ["RelayStore"], path: "Tests/InvariantChecks"),
    .testTarget(
      name: "RelayStoreTests",
      dependencies: [
        "RelayStore", "RelayNetwork", "RelayLive", "RelayURLSession", "RelayPersistence",
        "RelayLocalQueries", "RelayStoreTesting", "RelayCompiler", "GraphQLLanguage",
        "SeededRandom", "InvariantChecks",
      ],
      resources: [.embedInCode("schema.graphql")], plugins: ["RelayCompilerPlugin"]),
    .testTarget(
      name: "RelayStoreTestingTests",
      dependencies: ["RelayStoreTesting", "RelayStore", "GraphQLLanguage", "SeededRandom"]),
    .testTarget(
      name: "RelayInspectorTests",
      dependencies: ["RelayInspector", "RelayRecording", "RelayStore", "RelayStoreTesting"]),
    .testTarget(
      name: "RelayPersistenceTests",
      dependencies: [
        "RelayPersistence", "RelayLocalQueries", "RelayStore", "RelayStoreTesting", "SeededRandom",
        "InvariantChecks",
      ]),
    .testTarget(
      name: "GraphQLLanguageTests",
      dependencies: ["GraphQLFormatting", "GraphQLLanguage", "SeededRandom"]),
    .testTarget(
      name: "Properties", dependencies: ["RelayStore", "SeededRandom", "InvariantChecks"],
      path: "Tests/Properties"),
    .testTarget(
      name: "StressTests", dependencies: ["RelayStore", "SeededRandom", "InvariantChecks"],
      path: "Tests/Stress/Tests/StressTests"),
    .testTarget(name: "Layering", path: "Tests/Layering"),
    .testTarget(name: "Documentation", path: "Tests/Documentation"),
    .testTarget(
      name: "RelayCompilerTests",
      dependencies: ["RelayCompiler", "GraphQLLanguage", "SeededRandom"],
      exclude: ["Golden"]),
    .testTarget(
      name: "RelayToolsTests",
      dependencies: [
        "RelayTools", "RelayCompiler", "GraphQLFormatting", "GraphQLLanguage", "SeededRandom",
      ],
      exclude: ["search-questions.jsonl"]),
    // The parts of the plugins that need nothing of a plugin; the folder Shared links to them.
    .testTarget(
      name: "PluginTests", dependencies: ["RelayTools", "RelayCompiler"], path: "Tests/Plugins"),
    .testTarget(
      name: "RoundTrip",
      dependencies: [
        "RelayCompiler", "GraphQLLanguage", "RelayPersistence", "RelayStore", "SeededRandom",
      ],
      path: "Tests/RoundTrip"),
    .testTarget(
      name: "Scenarios",
      dependencies: [
        "RelayStore", "RelayNetwork", "RelayLive", "RelayURLSession", "RelayPersistence",
        "RelayStoreTesting", "TaskTrackerServer", "SeededRandom",
      ],
      path: "Tests/Scenarios", plugins: ["RelayCompilerPlugin"]),
    .testTarget(
      name: "GeneratedCodeTests",
      dependencies: ["RelayStore", "RelayNetwork", "RelayPersistence", "RelayStoreTesting"],
      path: "Tests/GeneratedCode",
      exclude: ["relay.config.json", "schema.graphql", "client.graphql"],
      plugins: ["RelayCompilerPlugin"]),
    // Generated code under a configuration of other choices.
    .testTarget(
      name: "ConfiguredTests", dependencies: ["RelayStore", "RelayStoreTesting"],
      path: "Tests/Configured", exclude: ["relay.config.json", "schema.graphql"],
      plugins: ["RelayCompilerPlugin"]),
    // The code of the guides in Docs.
    .testTarget(
      name: "Guides",
      dependencies: [
        "RelayInspector", "RelayRecording", "RelayStore", "RelayNetwork", "RelayLive",
        "RelayURLSession", "RelayPersistence", "RelayLocalQueries", "RelayStoreTesting",
      ],
      path: "Tests/Guides",
      exclude: ["relay.config.json", "schema.graphql"], plugins: ["RelayCompilerPlugin"]),
    // Modules that share fragments and types; the tests use them together.
    .target(
      name: "ModuleBase", dependencies: ["RelayStore"], path: "Tests/Modules/Base",
      exclude: ["relay.config.json"], plugins: ["RelayCompilerPlugin"]),
    .target(
      name: "ModuleCards", dependencies: ["RelayStore", "ModuleBase"], path: "Tests/Modules/Cards",
      exclude: ["relay.config.json"], plugins: ["RelayCompilerPlugin"]),
    .target(
      name: "ModuleTypes", dependencies: ["RelayStore"], path: "Tests/Modules/Types",
      exclude: ["relay.config.json"], plugins: ["RelayCompilerPlugin"]),
    .target(
      name: "ModuleScreens", dependencies: ["RelayStore", "ModuleTypes"],
      path: "Tests/Modules/Screens", exclude: ["relay.config.json"],
      plugins: ["RelayCompilerPlugin"]),
    .testTarget(
      name: "ModuleTests",
      dependencies: ["RelayStore", "ModuleBase", "ModuleCards"],
      path: "Tests/Modules/Tests", exclude: ["relay.config.json"],
      plugins: ["RelayCompilerPlugin"]),
    .testTarget(
      name: "SchemaModuleTests", dependencies: ["RelayStore", "ModuleTypes", "ModuleScreens"],
      path: "Tests/Modules/SchemaModuleTests"),
  ],
  swiftLanguageModes: [.v6]
)
