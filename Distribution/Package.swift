// swift-tools-version: 6.3
import PackageDescription

// The plugins of RelayStore with a compiler that was built beforehand: see Docs/ContinuousIntegration.md.
let package = Package(
  name: "PrebuiltRelayCompiler",
  products: [
    .plugin(name: "PrebuiltRelayCompilerPlugin", targets: ["PrebuiltRelayCompilerPlugin"]),
    .plugin(name: "PrebuiltRelayCompilerCommand", targets: ["PrebuiltRelayCompilerCommand"]),
  ],
  targets: [
    // In the repository, a file that `make distribution` makes; in the published package, a URL.
    .binaryTarget(
      name: "RelayCompilerBundle", path: ".build-bundle/relay-compiler.artifactbundle.zip"),
    // An app's graph also has the main package, so no target and no verb here has a name of one
    // there. In the repository the plugins' folders are links to the main package's.
    .plugin(
      name: "PrebuiltRelayCompilerPlugin", capability: .buildTool(),
      dependencies: ["RelayCompilerBundle"]),
    .plugin(
      name: "PrebuiltRelayCompilerCommand",
      capability: .command(
        intent: .custom(
          verb: "prebuilt-relay-compile",
          description: "Compile graphql tags to Swift under artifactDirectory."),
        permissions: [
          .writeToPackageDirectory(reason: "Writes the generated Swift files.")
        ]),
      dependencies: ["RelayCompilerBundle"]),
  ]
)
