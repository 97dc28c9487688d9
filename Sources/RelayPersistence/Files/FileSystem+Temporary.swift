import Foundation
import RelayStore

/// Temporary files, while they are written.
extension FileSystem {
  private static let temporarySuffix = ".tmp"
  /// The age in seconds after which a temporary file counts as abandoned by its process.
  private static let temporaryAge = 3600

  /// Returns a temporary name for a file that is later renamed to `name`.
  static func temporaryName(for name: String) -> String {
    "\(temporaryPrefix(of: name))\(randomText())\(temporarySuffix)"
  }

  /// Returns the prefix of a file's temporary names.
  package static func temporaryPrefix(of name: String) -> String { ".\(shortened(name))." }

  /// Returns a name with room for a suffix. A long name is replaced with its checksum, because
  /// names are limited to 255 bytes.
  static func shortened(_ name: String) -> String {
    guard name.utf8.count > 200 else { return name }
    var checksum = Checksum()
    Array(name.utf8).withUnsafeBytes { checksum.combine($0) }
    return String(checksum.value, radix: 16)
  }

  /// Whether a name belongs to a temporary file.
  package static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(".") && name.hasSuffix(temporarySuffix)
  }

  /// Removes a file and its unfinished temporary files, durably.
  ///
  /// - Throws: ``PersistenceFailure``; some of them may already be removed.
  func removeWithParts(_ path: String) throws {
    let (directory, name) = Self.split(path)
    for part in try names(in: directory) where Self.isTemporary(part) {
      // The prefix, then a random number without a period.
      let end = part.dropLast(Self.temporarySuffix.count).lastIndex(of: ".")
      if part[...(end ?? part.startIndex)] == Self.temporaryPrefix(of: name) {
        try remove("\(directory)/\(part)")
      }
    }
    try remove(path)
    try synchronize(directory: directory)
  }

  /// Removes temporary files older than an hour, ignoring errors.
  ///
  /// - Parameter prefix: The prefix of their names.
  func removeAbandoned(in directory: String, prefix: String) {
    guard let names = try? names(in: directory) else { return }
    let now = time(nil)
    for name in names where name.hasPrefix(prefix) && Self.isTemporary(name) {
      var status = stat()
      guard lstat("\(directory)/\(name)", &status) == 0 else { continue }
      if Int64(now) - Int64(Self.modification(status)) > Self.temporaryAge {
        try? remove("\(directory)/\(name)")
      }
    }
  }

  private static func modification(_ status: stat) -> Int {
    #if canImport(Darwin)
      status.st_mtimespec.tv_sec
    #else
      status.st_mtim.tv_sec
    #endif
  }
}
