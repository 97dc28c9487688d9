import Foundation

/// Runs `swift package describe`, which knows also the targets that a manifest computes.
package enum PackageDescriber {
  /// The longest that SwiftPM may take to evaluate a manifest.
  private static let seconds = 60

  /// Returns the description of a package as JSON; `nil` where there is no SwiftPM, or where it cannot
  /// evaluate the manifest.
  ///
  /// Nothing is resolved or built, and no file of the package is written.
  package static func describe(_ folder: String) -> Data? {
    #if os(macOS) || os(Linux)
      let scratch = FileManager.default.temporaryDirectory
        .appendingPathComponent("relay-compiler-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: scratch) }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      // A scratch path of its own, so that it does not wait for a build.
      process.arguments = [
        "swift", "package", "--package-path", folder, "--scratch-path", scratch.path, "describe",
        "--type", "json",
      ]
      let output = Pipe()
      // A server's own input and output are its client's.
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      do { try process.run() } catch { return nil }
      let watchdog = DispatchWorkItem { process.terminate() }
      DispatchQueue.global().asyncAfter(
        deadline: .now() + .seconds(Self.seconds), execute: watchdog)
      let data = try? output.fileHandleForReading.readToEnd()
      process.waitUntilExit()
      watchdog.cancel()
      return process.terminationStatus == 0 ? data : nil
    #else
      return nil
    #endif
  }
}
