import Foundation
import Testing

/// The built `relay-compiler`, run as a separate process.
enum BuiltProgram {
  /// The program's file, next to the tests.
  static var file: URL? {
    let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
    return ([Bundle.main.executableURL].compactMap(\.self) + bundles)
      .map { $0.deletingLastPathComponent().appending(path: "relay-compiler") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Runs the program in a shell.
  ///
  /// - Parameters:
  ///   - redirection: The shell syntax after the arguments, such as `>/dev/full`.
  ///   - input: The contents of standard input.
  static func run(
    _ arguments: [String], _ redirection: String = "", in folder: URL, input: String = ""
  ) throws -> (code: Int32, output: String, errors: String) {
    let process = Process()
    let pipes = (input: Pipe(), output: Pipe(), errors: Pipe())
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "exec \"$0\" \"$@\" \(redirection)", try #require(file).path]
    process.arguments? += arguments
    process.currentDirectoryURL = folder
    process.standardInput = pipes.input
    process.standardOutput = pipes.output
    process.standardError = pipes.errors
    try process.run()
    try pipes.input.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try pipes.input.fileHandleForWriting.close()
    let output = pipes.output.fileHandleForReading.readDataToEndOfFile()
    let errors = pipes.errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: output, as: UTF8.self),
      String(decoding: errors, as: UTF8.self)
    )
  }
}
