// swift-tools-version: 6.3
import PackageDescription

/// The same app with one query and one observer, on each of the products that apps choose from.
/// `make bench-build` measures the apps' sizes.
func app(_ name: String, _ products: [String]) -> Target {
  .executableTarget(
    name: name, dependencies: products.map { .product(name: $0, package: "RelayStore") },
    plugins: [.plugin(name: "RelayCompilerPlugin", package: "RelayStore")])
}

let package = Package(
  name: "Apps", platforms: [.macOS(.v14)],
  dependencies: [.package(name: "RelayStore", path: "../..")],
  targets: [
    app("CoreApp", ["RelayStoreCore"]),
    app("HTTPApp", ["RelayStore"]),
    app("OfflineApp", ["RelayStore", "RelayLive", "RelayPersistence"]),
  ],
  swiftLanguageModes: [.v6])
