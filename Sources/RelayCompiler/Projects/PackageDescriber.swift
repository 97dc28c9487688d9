import Foundation

/// A runner of `swift package describe`, which also finds targets that a manifest computes.
package enum PackageDescriber {
  /// The time limit for SwiftPM to evaluate a manifest.
  private static let seconds = 60

  /// Returns the description of a package as JSON; `nil` if SwiftPM is missing or cannot evaluate
  /// the manifest.
  ///
  /// Dependencies are not resolved, the package is not built, and none of its files are written.
  package static func describe(_ folder: String) -> Data? {
    #if os(macOS) || os(Linux)
      let scratch = FileManager.default.temporaryDirectory
        .appendingPathComponent("relay-compiler-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: scratch) }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      // A separate scratch path avoids waiting for a running build.
      process.arguments = [
        "swift", "package", "--package-path", folder, "--scratch-path", scratch.path, "describe",
        "--type", "json",
      ]
      let output = Pipe()
      // A server's own input and output belong to its client.
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
