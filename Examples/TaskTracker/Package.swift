// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "TaskTracker",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "RelayStore", path: "../..")],
  targets: [
    .target(
      name: "TaskTrackerServer",
      dependencies: [
        .product(name: "RelayStore", package: "RelayStore"),
        .product(name: "RelayStoreTesting", package: "RelayStore"),
      ],
      resources: [.embedInCode("schema.graphql"), .embedInCode("seed.json")]),
    .executableTarget(
      name: "TaskTracker",
      dependencies: [
        "TaskTrackerServer", .product(name: "RelayStore", package: "RelayStore"),
        .product(name: "RelayLive", package: "RelayStore"),
        .product(name: "RelayPersistence", package: "RelayStore"),
        .product(name: "RelayInspector", package: "RelayStore"),
        .product(name: "RelayStoreTesting", package: "RelayStore"),
      ],
      exclude: ["relay.config.json"],
      plugins: [.plugin(name: "RelayCompilerPlugin", package: "RelayStore")]),
  ],
  swiftLanguageModes: [.v6]
)
