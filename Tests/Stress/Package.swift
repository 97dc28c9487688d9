// swift-tools-version: 6.3
import PackageDescription

// Tests that repeat random operations. The store is the only dependency, so optimized and sanitized
// builds compile only the store. Tests/Properties, Tests/SeededRandom and Tests/InvariantChecks are
// linked from here. They import RelayStore @testable to see its `package` declarations from this package.
let package = Package(
  name: "Stress", platforms: [.macOS(.v14)],
  dependencies: [.package(name: "RelayStore", path: "../..")],
  targets: [
    .target(name: "SeededRandom", path: "Tests/SeededRandom"),
    .target(
      name: "InvariantChecks",
      dependencies: [.product(name: "RelayStore", package: "RelayStore")],
      path: "Tests/InvariantChecks"),
    .testTarget(
      name: "StressTests",
      dependencies: [
        .product(name: "RelayStore", package: "RelayStore"), "SeededRandom", "InvariantChecks",
      ]),
    .testTarget(
      name: "Properties",
      dependencies: [
        .product(name: "RelayStore", package: "RelayStore"), "SeededRandom", "InvariantChecks",
      ]),
  ],
  swiftLanguageModes: [.v6])
