/// The package RelayStore, as the manifests of other packages name it.
enum RelayStorePackage {
  static let name = "RelayStore"
  static let product = "RelayStore"
  /// The products that have the module RelayStore.
  static let products: Set = ["RelayStore", "RelayStoreCore"]
  static let plugin = "RelayCompilerPlugin"

  /// The first versions of the platforms that the package can be built for.
  static let platforms = [
    Platform(name: "macOS", version: 14), Platform(name: "iOS", version: 17),
    Platform(name: "tvOS", version: 17), Platform(name: "watchOS", version: 10),
    Platform(name: "visionOS", version: 1),
  ]

  /// A platform and the number of its version.
  struct Platform {
    let name: String
    let version: Int
  }
}
