/// The package RelayStore, as other packages' manifests refer to it.
enum RelayStorePackage {
  static let name = "RelayStore"
  static let product = "RelayStore"
  /// The products that contain the module RelayStore.
  static let products: Set = ["RelayStore", "RelayStoreCore"]
  static let plugin = "RelayCompilerPlugin"

  /// The minimum platform versions of the package.
  static let platforms: [(name: String, version: Int)] = [
    ("macOS", 14), ("iOS", 17), ("tvOS", 17), ("watchOS", 10), ("visionOS", 1),
  ]
}
