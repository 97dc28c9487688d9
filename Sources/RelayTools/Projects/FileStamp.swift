import Foundation

/// The identity, size and date of a file. Once a file is settled, changed contents imply a changed
/// stamp.
struct FileStamp: Equatable {
  private let inode: UInt64
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// - Returns: `nil` if the file does not exist.
  init?(ofFile path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    seconds = Int(time.tv_sec)
    nanoseconds = Int(time.tv_nsec)
  }

  /// Whether the last change is old enough that another one would get a different date.
  ///
  /// File systems may round dates: HFS+ to one second, FAT to two.
  var isSettled: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return isSettled(at: now)
  }

  func isSettled(at now: timespec) -> Bool {
    let age =
      (Double(now.tv_sec) - Double(seconds)) + (Double(now.tv_nsec) - Double(nanoseconds)) / 1e9
    return age > (nanoseconds == 0 ? 2 : 0.1)
  }
}
