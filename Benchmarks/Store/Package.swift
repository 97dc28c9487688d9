// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "StoreBenchmark",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "RelayStore", path: "../..")],
  targets: [
    .target(name: "Allocations"),
    .executableTarget(
      name: "store-benchmark",
      dependencies: ["Allocations", .product(name: "RelayStore", package: "RelayStore")]),
  ],
  swiftLanguageModes: [.v6]
)
