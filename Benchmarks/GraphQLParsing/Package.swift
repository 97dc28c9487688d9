// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "GraphQLParsing",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "RelayStore", path: "../..")],
  targets: [
    .executableTarget(
      name: "parse-benchmark",
      dependencies: [.product(name: "GraphQLLanguage", package: "RelayStore")])
  ],
  swiftLanguageModes: [.v6]
)
