import Foundation

extension CompileArguments.Target {
  /// A target of an Xcode project. Xcode does not tell plugins the target's folder.
  ///
  /// The configuration may be one of its files, or in the folder named after the target.
  ///
  /// - Parameter project: The folder of the Xcode project.
  init(xcodeTarget name: String, files: [URL], project: URL) {
    let own = files.filter { $0.lastPathComponent == "relay.config.json" }
      .map { $0.deletingLastPathComponent() }
    self.init(name: name, folders: own + [project.appendingPathComponent(name)])
  }
}
