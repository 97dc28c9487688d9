// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Hello", platforms: [.macOS(.v14)],
  dependencies: [.package(name: "RelayStore", path: "../..")],
  targets: [
    .executableTarget(
      name: "Hello",
      dependencies: [.product(name: "RelayStore", package: "RelayStore")],
      plugins: [.plugin(name: "RelayCompilerPlugin", package: "RelayStore")])
  ])
