import Foundation
import GraphQLLanguage
import RelayCompiler

/// A project's generated files on disk: in its `artifactDirectory`, or in the output folders of the
/// build-tool plugin.
struct GeneratedFiles {
  private let artifactDirectory: String?
  /// The folder of the configuration.
  private let folder: URL

  init(artifactDirectory: URL?, configuration: String) {
    self.artifactDirectory = artifactDirectory?.path
    folder = URL(fileURLWithPath: configuration).deletingLastPathComponent()
  }

  /// Returns the declaration of a struct in a generated file: the file's path and contents, and the
  /// range of the struct's name; `nil` if no such file declares it.
  func declaration(
    of type: String, inFile name: String
  ) -> (path: String, bytes: ContiguousArray<UInt8>, range: Range<Int>)? {
    for folder in folders {
      let path = folder + "/" + name
      guard let bytes = try? readFile(path),
        let found = bytes.firstRange(of: Array("struct \(type):".utf8))
      else { continue }
      return (path, bytes, found.lowerBound + 7..<found.upperBound - 1)
    }
    return nil
  }

  private var folders: [String] {
    if let artifactDirectory { return [artifactDirectory] }
    let outputs = foldersAround(folder.standardizedFileURL.path).lazy
      .map { $0 + "/.build/plugins/outputs" }.first(where: isRealFolder)
    return (outputs.map(Self.folders) ?? []).flatMap(Self.folders)
      .map { $0 + "/destination/RelayCompilerPlugin" }.filter(isRealFolder)
  }

  private static func folders(in folder: String) -> [String] {
    ((try? fileNames(in: folder)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
      .map { folder + "/" + $0 }.filter(isRealFolder)
  }
}
