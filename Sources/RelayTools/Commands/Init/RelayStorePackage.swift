/// The package RelayStore, as the manifests of other packages name it.
enum RelayStorePackage {
  static let name = "RelayStore"
  static let product = "RelayStore"
  /// The products that have the module RelayStore.
  static let products: Set = ["RelayStore", "RelayStoreCore"]
  static let plugin = "RelayCompilerPlugin"

  /// The first versions of the platforms that the package can be built for.
  static let platforms: [(name: String, version: Int)] = [
    ("macOS", 14), ("iOS", 17), ("tvOS", 17), ("watchOS", 10), ("visionOS", 1),
  ]
}
