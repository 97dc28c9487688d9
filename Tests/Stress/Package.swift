// swift-tools-version: 6.3
import PackageDescription

// Tests that repeat random operations, with the store as the only dependency, so that optimized and
// sanitized builds compile nothing else. Tests/Properties and Tests/SeededRandom are linked from
// here; to see what is `package` in RelayStore from this one, they import it @testable.
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
