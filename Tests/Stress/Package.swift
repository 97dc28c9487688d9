// swift-tools-version: 6.1
import PackageDescription

// The stress of the store alone, so that a sanitizer has no more to build than the store.
let package = Package(
  name: "Stress", platforms: [.macOS(.v14)],
  dependencies: [.package(name: "RelayStore", path: "../..")],
  targets: [
    .testTarget(
      name: "StressTests", dependencies: [.product(name: "RelayStore", package: "RelayStore")])
  ],
  swiftLanguageModes: [.v6])
