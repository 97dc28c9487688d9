import Foundation
import GraphQLLanguage

/// The file where a project declares the Swift type of a scalar: `CustomScalars/<Name>.swift`.
package enum ScalarFile {
  /// The name of the folder for these files, anywhere in a target.
  package static let folder = "CustomScalars"

  /// Returns the folder where the command creates these files. It is next to the artifact
  /// directory, which contains only generated files.
  package static func folder(nextTo output: URL) -> URL {
    output.standardizedFileURL.deletingLastPathComponent().appendingPathComponent(folder)
  }

  /// Rejects such files in the artifact directory, because they belong to the project.
  ///
  /// - Throws: A ``ConfigurationError`` that names the folder to move them to.
  package static func check(_ output: URL) throws {
    let own = output.appendingPathComponent(folder)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: own.path)) ?? []
    guard files.contains(where: { $0.hasSuffix(".swift") }) else { return }
    throw ConfigurationError(
      "\(own.path): error: These files are yours, and the artifact directory is the compiler's. Move the folder to "
        + "\"\(Self.folder(nextTo: output).path)\".")
  }

  /// Returns the initial file for a scalar. It has no generated-file header, because the compiler
  /// never replaces it.
  static func file(for scalar: NamedType, types: SwiftTypes) -> GeneratedFile {
    let name = types.schema.name(of: scalar.id)
    var printer = SwiftPrinter()
    printer.line(
      "// The Swift type of the scalar \(name). This file is yours: relay-compiler made it once and will not"
    )
    printer.line("// change it. Any type that conforms to CustomScalar may stand here.")
    printer.blankLine()
    printer.block("extension \(types.options.schemaName)") { printer in
      printer.documentation(scalar.description)
      printer.line("\(types.access)typealias \(types.member(scalar.id)) = Swift.String")
    }
    return GeneratedFile(name: "\(name).swift", content: printer.buffer.bytes)
  }

  /// Returns the name of the scalar that a source file declares; `nil` for other files.
  package static func scalar(ofFile path: String) -> String? {
    guard path.hasSuffix(".swift") else { return nil }
    let parts = path.split(separator: "/")
    guard parts.count > 1, parts[parts.count - 2] == folder else {
      return nil
    }
    return parts.last.map { String($0.dropLast(".swift".count)) }
  }
}
