import Foundation

extension CompileArguments.Target {
  /// The target of an Xcode project, which has no folder of its own. Its configuration may be among
  /// its files, or in the folder with its name.
  ///
  /// - Parameter project: The folder of the Xcode project.
  init(xcodeTarget name: String, files: [URL], project: URL) {
    let own = files.filter { $0.lastPathComponent == "relay.config.json" }
      .map { $0.deletingLastPathComponent() }
    self.init(name: name, folders: own + [project.appendingPathComponent(name)])
  }
}
