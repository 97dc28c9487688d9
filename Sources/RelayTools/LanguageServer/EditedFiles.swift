import Foundation
import GraphQLLanguage
import RelayCompiler

/// The files as the editor sees them: its open documents, and the files on disk.
final class EditedFiles {
  /// The open documents by canonical path.
  private(set) var documents: [String: TextDocument] = [:]
  private let disk = CachedFiles()
  private let descriptions = CachedDescriptions()
  /// The canonical paths of folders.
  private var folders: [String: String] = [:]
  /// The canonical paths of all files read.
  private(set) var read: Set<String> = []

  /// A project's access to these files. Paths in diagnostics are absolute.
  var access: FileAccess {
    FileAccess(
      read: { [self] (path) throws(FileError) in try bytes(at: path) },
      shownPath: { $0.standardizedFileURL.path },
      unsaved: { [self] in unsaved(in: $0) },
      packageDescription: { [descriptions] in descriptions.description(of: $0) })
  }

  /// Opens, replaces or closes a document.
  subscript(path: String) -> TextDocument? {
    get { documents[path] }
    set { documents[path] = newValue }
  }

  /// Changes an open document in place.
  func change(_ path: String, _ body: (inout TextDocument) -> Void) {
    guard var document = documents.removeValue(forKey: path) else { return }
    body(&document)
    documents[path] = document
  }

  /// Returns the path with its folder's symbolic links resolved, so that each file has exactly one
  /// path.
  func canonical(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    let folder = String(path[..<slash])
    let name = path[slash...]
    if folder.isEmpty { return path }
    if let known = folders[folder] { return known + name }
    // For a folder that does not exist yet, only its parent is resolved.
    guard let found = realPath(folder) else { return canonical(folder) + name }
    folders[folder] = found == "/" ? "" : found
    return canonical(path)
  }

  /// Returns the path of a folder with all symbolic links resolved.
  func canonicalFolder(_ path: String) -> String { String(canonical(path + "/").dropLast()) }

  /// Returns the paths, relative to a folder, of the open documents below it that are not on disk.
  private func unsaved(in folder: String) -> [String] {
    let prefix = canonical(folder + "/")
    return documents.keys.filter { path in
      path.hasPrefix(prefix) && FileStamp(ofFile: path) == nil
    }.map { String($0.dropFirst(prefix.count)) }
  }

  /// Clears the resolved paths, because files have changed.
  func invalidatePaths() { folders.removeAll() }

  /// Returns a file's open document, or its contents on disk.
  private func bytes(at path: String) throws(FileError) -> ContiguousArray<UInt8> {
    let canonical = canonical(path)
    read.insert(canonical)
    if let open = documents[canonical] { return open.bytes }
    return try disk.bytes(at: path)
  }
}
