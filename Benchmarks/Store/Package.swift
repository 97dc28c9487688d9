// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "StoreBenchmark",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "RelayStore", path: "../..")],
  targets: [
    .target(name: "Allocations"),
    // The measuring tools of the benchmarks.
    .target(name: "Measuring"),
    // A flat list.
    .executableTarget(
      name: "store-benchmark",
      dependencies: [
        "Allocations", "Measuring", .product(name: "RelayStore", package: "RelayStore"),
      ]),
    // A store and an outbox on disk.
    .executableTarget(
      name: "storage-benchmark",
      dependencies: [
        "Measuring", .product(name: "RelayStore", package: "RelayStore"),
        .product(name: "RelayPersistence", package: "RelayStore"),
      ]),
    // Reads during commits.
    .executableTarget(
      name: "readers-benchmark",
      dependencies: ["Measuring", .product(name: "RelayStore", package: "RelayStore")]),
    // Local queries.
    .executableTarget(
      name: "local-benchmark",
      dependencies: [
        "Measuring", .product(name: "RelayStore", package: "RelayStore"),
        .product(name: "RelayLocalQueries", package: "RelayStore"),
      ]),
    // Incremental responses and subscriptions.
    .executableTarget(
      name: "live-benchmark",
      dependencies: [
        "Measuring", .product(name: "RelayStore", package: "RelayStore"),
        .product(name: "RelayLive", package: "RelayStore"),
      ]),
    // The screen of a realistic application.
    .executableTarget(
      name: "screen-benchmark",
      dependencies: [
        "Allocations", "Measuring", .product(name: "RelayStore", package: "RelayStore"),
      ],
      exclude: ["relay.config.json", "schema.graphql"],
      plugins: [.plugin(name: "RelayCompilerPlugin", package: "RelayStore")]),
  ],
  swiftLanguageModes: [.v6]
)
