// swift-tools-version: 6.1
import PackageDescription

// The tests that do the same many times, with the store alone, so that optimized and sanitized builds have no more to build than that.
// Tests/Properties and Tests/SeededRandom are linked to from here.
let package = Package(
  name: "Stress", platforms: [.macOS(.v14)],
  dependencies: [.package(name: "RelayStore", path: "../..")],
  targets: [
    .target(name: "SeededRandom", path: "Tests/SeededRandom"),
    .testTarget(
      name: "StressTests",
      dependencies: [.product(name: "RelayStore", package: "RelayStore"), "SeededRandom"]),
    .testTarget(
      name: "Properties",
      dependencies: [.product(name: "RelayStore", package: "RelayStore"), "SeededRandom"]),
  ],
  swiftLanguageModes: [.v6])
