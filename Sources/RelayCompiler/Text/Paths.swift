import Foundation

/// Whether a path is a folder or below it.
package func isInside(_ path: String, _ folder: String) -> Bool {
  path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
}

/// Returns a path and the folders around it, innermost first, without the root of the file system.
package func foldersAround(_ path: String) -> [String] {
  sequence(first: URL(fileURLWithPath: path).path) {
    ($0 as NSString).deletingLastPathComponent
  }.prefix { $0 != "/" }
}

/// Returns an absolute path relative to an absolute folder, with `..` if it is outside; empty if it
/// is the folder.
package func relativePath(_ path: String, from folder: String) -> String {
  let (parts, base) = (path.split(separator: "/"), folder.split(separator: "/"))
  let common = zip(parts, base).prefix { $0 == $1 }.count
  return (repeatElement("..", count: base.count - common) + parts.dropFirst(common))
    .joined(separator: "/")
}

/// Returns an absolute path without links; `nil` if nothing is there. Foundation's methods return
/// `/tmp` for `/private/tmp`.
package func realPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}
