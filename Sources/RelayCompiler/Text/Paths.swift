import Foundation

/// Returns whether a path is a folder itself or below it.
package func isInside(_ path: String, _ folder: String) -> Bool {
  path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
}

/// Returns a path and its parent folders, innermost first, excluding the file system's root.
package func foldersAround(_ path: String) -> [String] {
  sequence(first: URL(fileURLWithPath: path).path) {
    ($0 as NSString).deletingLastPathComponent
  }.prefix { $0 != "/" }
}

/// Returns an absolute path relative to an absolute folder, using `..` if it is outside; empty if
/// it is the folder.
package func relativePath(_ path: String, from folder: String) -> String {
  let (parts, base) = (path.split(separator: "/"), folder.split(separator: "/"))
  let common = zip(parts, base).prefix { $0 == $1 }.count
  return (repeatElement("..", count: base.count - common) + parts.dropFirst(common))
    .joined(separator: "/")
}

/// Returns an absolute path without symbolic links; `nil` if the path does not exist. Unlike this
/// function, Foundation returns `/tmp` for `/private/tmp`.
package func realPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}
