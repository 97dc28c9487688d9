import Foundation

/// A terminal without a screen, whose text a test reads.
final class PseudoTerminal: Sendable {
  enum Failure: Error { case noTerminal }

  private let reader: Int32
  /// The program's side.
  let writer: FileHandle

  init() throws {
    reader = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard let name = Self.unlock(reader) else { throw Failure.noTerminal }
    let descriptor = open(name, O_RDWR | O_NOCTTY)
    guard descriptor >= 0 else { throw Failure.noTerminal }
    writer = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  deinit { close(reader) }

  /// Permits programs to use the terminal.
  ///
  /// - Returns: The path of the program's side; `nil` if there is no terminal.
  private static func unlock(_ reader: Int32) -> String? {
    #if canImport(Darwin)
      guard grantpt(reader) == 0, unlockpt(reader) == 0 else { return nil }
      return ptsname(reader).map { String(cString: $0) }
    #else
      // The C functions are not visible in Swift. These are TIOCSPTLCK and TIOCGPTN.
      var (isLocked, number): (Int32, Int32) = (0, 0)
      guard ioctl(reader, 0x4004_5431, &isLocked) == 0, ioctl(reader, 0x8004_5430, &number) == 0
      else { return nil }
      return "/dev/pts/\(number)"
    #endif
  }

  /// Reads the text until it satisfies a condition or every program has ended.
  func read(until isEnough: (String) -> Bool = { _ in false }) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if isEnough(text) { return text }
      let count = Foundation.read(reader, &buffer, buffer.count)
      // The end of the other side is an error on Linux.
      if count <= 0 { return text }
      bytes += buffer.prefix(count)
    }
  }
}
