// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "LanguageBenchmark",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "RelayStore", path: "../..")],
  targets: [
    .executableTarget(
      name: "language-benchmark",
      dependencies: [.product(name: "GraphQLLanguage", package: "RelayStore")])
  ],
  swiftLanguageModes: [.v6]
)
