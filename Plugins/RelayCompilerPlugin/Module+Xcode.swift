import Foundation

extension Module {
  /// The module of an Xcode target. Xcode does not tell plugins the target's folder.
  ///
  /// Its configuration or schema may be one of its files, in the folder named after the target, or
  /// next to the project.
  ///
  /// - Parameter project: The folder of the Xcode project.
  init(xcodeTarget target: String, product: String?, files: [URL], project: URL) {
    let own = files.filter {
      ["relay.config.json", "schema.graphql"].contains($0.lastPathComponent)
    }
    .map { $0.deletingLastPathComponent() }
    self.init(
      name: Self.moduleName(product ?? target),
      folders: own + [project.appendingPathComponent(target), project], files: files)
  }

  /// The name that Xcode gives a product's module: every character that is invalid in an identifier
  /// becomes an underscore.
  private static func moduleName(_ product: String) -> String {
    let name = String(product.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    return name.first?.isNumber == true ? "_" + name.dropFirst() : name
  }
}
