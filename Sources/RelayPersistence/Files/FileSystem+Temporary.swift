import Foundation
import RelayStore

/// The files that are being written.
extension FileSystem {
  private static let temporarySuffix = ".tmp"
  /// The age in seconds from which on a temporary file is one of a process that has ended.
  private static let temporaryAge = 3600

  /// Returns a name for a file that is written beside the one that it becomes.
  static func temporaryName(for name: String) -> String {
    "\(temporaryPrefix(of: name))\(randomText())\(temporarySuffix)"
  }

  /// Returns the beginning of the temporary names of a file.
  package static func temporaryPrefix(of name: String) -> String { ".\(shortened(name))." }

  /// Returns a name to which something may be added: its checksum in the place of a long one, since a name
  /// has at most 255 bytes.
  static func shortened(_ name: String) -> String {
    guard name.utf8.count > 200 else { return name }
    var checksum = Checksum()
    Array(name.utf8).withUnsafeBytes { checksum.combine($0) }
    return String(checksum.value, radix: 16)
  }

  /// Whether a name is that of a file which is being written.
  package static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(".") && name.hasSuffix(temporarySuffix)
  }

  /// Removes a file, and the parts of it that a process has begun to write, durably.
  ///
  /// - Throws: ``StorageFailure``; some of them may be removed then.
  func removeWithParts(_ path: String) throws {
    let (directory, name) = Self.split(path)
    for part in try names(in: directory) where Self.isTemporary(part) {
      // The name, and a random number without a period.
      let end = part.dropLast(Self.temporarySuffix.count).lastIndex(of: ".")
      if part[...(end ?? part.startIndex)] == Self.temporaryPrefix(of: name) {
        try remove("\(directory)/\(part)")
      }
    }
    try remove(path)
    try synchronize(directory: directory)
  }

  /// Removes the files that processes have begun to write more than an hour ago; those that cannot be
  /// removed stay.
  ///
  /// - Parameter prefix: The beginning of their names.
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
