import Foundation

/// A Swift program compiled against the runtime from the build folder of these tests.
struct SwiftProgram {
  struct Failure: Error, CustomStringConvertible { let description: String }

  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The build folder with the runtime: the test program's own, its parent or `.build/debug`.
  private static var products: URL {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let debug = package.appendingPathComponent(".build/debug")
    return [bundle, bundle.deletingLastPathComponent(), debug].first { folder in
      ["RelayStore.build", "RelayStore.o"].contains {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
      }
    } ?? debug
  }

  /// The object files of the runtime's current sources.
  ///
  /// Files are found by the names of the sources, because a build folder retains the objects of
  /// deleted sources. The build system `swiftbuild` leaves one object for each module.
  private static func objects() -> [String] {
    let sources = package.appendingPathComponent("Sources/RelayStore")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    let names = (files?.compactMap { ($0 as? URL)?.lastPathComponent } ?? [])
      .filter { $0.hasSuffix(".swift") }
    let objects =
      names.map { "RelayStore.build/\($0).o" }
      + ["CLibCurl.build/CLibCurl.c.o", "RelayStore.o", "CLibCurl.o"]
    return
      objects
      .map { products.appendingPathComponent($0).path }
      .filter { FileManager.default.fileExists(atPath: $0) }.sorted()
  }

  /// The compiler and the strict settings that every build here uses.
  private static let strict = [
    "swiftc", "-swift-version", "6", "-warnings-as-errors", "-whole-module-optimization",
  ]

  private static var modules: [String] {
    [
      "-I", products.appendingPathComponent("Modules").path, "-I", products.path,
      "-I", package.appendingPathComponent("Sources/CLibCurl/include").path,
    ]
  }

  /// Builds a program with several files under the strictest settings of a user, and runs it.
  ///
  /// - Parameter files: The names and contents of the files; `main.swift` is the entry point.
  /// - Returns: The program's output.
  /// - Throws: ``Failure`` with the compiler's output, if the program does not build.
  static func run(_ files: [(name: String, text: String)]) async throws -> String {
    try await inFolder(with: files) { folder, paths in
      let program = folder.appendingPathComponent("program").path
      let compiled = try launch(
        strict + ["-Onone", "-module-name", "Program", "-o", program] + modules + paths + objects())
      guard compiled.status == 0 else { throw Failure(description: compiled.output) }
      return try launch([program]).output
    }
  }

  /// Type-checks the files as a module with main actor isolation by default, and as a module that
  /// `code` imports.
  ///
  /// - Returns: The diagnostics of the Swift compiler; empty if there are none.
  static func check(_ files: [(name: String, text: String)], using code: String) async throws
    -> String
  {
    try await inFolder(with: files) { folder, paths in
      let main = try launch(
        strict + ["-typecheck", "-module-name", "Isolated", "-default-isolation", "MainActor"]
          + modules + paths)
      let module = folder.appendingPathComponent("Types.swiftmodule").path
      let made = try launch(
        strict + ["-emit-module", "-module-name", "Types", "-emit-module-path", module] + modules
          + paths)
      let user = folder.appendingPathComponent("User.swift")
      try code.write(to: user, atomically: true, encoding: .utf8)
      let used = try launch(
        strict + ["-typecheck", "-module-name", "User", "-I", folder.path] + modules + [user.path])
      return main.output + made.output + used.output
    }
  }

  private static func inFolder<Result: Sendable>(
    with files: [(name: String, text: String)],
    _ body: @escaping @Sendable (URL, [String]) throws -> Result
  ) async throws -> Result {
    // On a new thread: blocking a thread of the cooperative pool would stall other tests.
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Swift.Result { try write(files, body) })
      }
    }
  }

  private static func write<Result>(
    _ files: [(name: String, text: String)], _ body: (URL, [String]) throws -> Result
  ) throws -> Result {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("relaystore-generated-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // RELAYSTORE_KEEP=1 preserves the program's folder, so that a failure can be examined.
    let isKept = ProcessInfo.processInfo.environment["RELAYSTORE_KEEP"] != nil
    if isKept { print("program: \(folder.path)") }
    defer { if !isKept { try? FileManager.default.removeItem(at: folder) } }
    for file in files {
      try file.text.write(
        to: folder.appendingPathComponent(file.name), atomically: true, encoding: .utf8)
    }
    return try body(folder, files.map { folder.appendingPathComponent($0.name).path })
  }

  private static func launch(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
