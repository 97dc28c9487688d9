import Foundation

extension Module {
  /// The module of a target of an Xcode project, which has no folder of its own.
  ///
  /// Its configuration or schema may be among its files, in the folder with the target's name, or
  /// beside the project.
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

  /// The name that Xcode gives the module of a product: an underscore for each character that an
  /// identifier cannot have.
  private static func moduleName(_ product: String) -> String {
    let name = String(product.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    return name.first?.isNumber == true ? "_" + name.dropFirst() : name
  }
}
