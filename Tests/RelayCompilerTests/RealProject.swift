import Foundation
import Testing

@testable import RelayCompiler

/// A project with human-written documents: a folder of this package, or an application in a folder
/// next to the package.
struct RealProject: CustomTestStringConvertible {
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL
  static let applicationFolder = package.appendingPathComponent("../shared/apps")
    .standardizedFileURL

  /// Returns schemas of this package and, for long runs, the schemas next to it.
  static func schemas(_ own: [String], isLong: Bool) -> [String] {
    let folder = package.appendingPathComponent("../shared/schemas").standardizedFileURL
    let others = isLong ? try? FileManager.default.contentsOfDirectory(atPath: folder.path) : nil
    return own.map { package.appendingPathComponent($0).path }
      + (others ?? []).filter { $0.hasSuffix(".graphql") }.sorted().map { folder.path + "/" + $0 }
  }

  /// The projects of this package.
  static let own = [
    RealProject("Examples/TaskTracker/Sources/TaskTracker", schema: taskTracker),
    RealProject("Tests/Scenarios", schema: taskTracker),
    RealProject("Tests/Guides", schema: "Tests/Guides/schema.graphql"),
  ]
  private static let taskTracker = "Examples/TaskTracker/Sources/TaskTrackerServer/schema.graphql"

  static let applications = [
    "apollo-ios-starwars", "githawk-ios", "relay-examples-newsfeed", "relay-swift-pokedex",
    "relay-swift-starwars", "relay-swift-todo",
  ].map(RealProject.init(application:))

  let testDescription: String
  /// The path of the schema.
  let schema: String
  /// The path of the folder of the documents.
  let documents: String

  private init(_ folder: String, schema: String) {
    testDescription = folder
    self.schema = Self.package.appendingPathComponent(schema).path
    documents = Self.package.appendingPathComponent(folder).path
  }

  private init(application name: String) {
    let folder = Self.applicationFolder.appendingPathComponent(name).path
    testDescription = name
    schema = folder + "/schema.graphql"
    documents = folder + "/documents"
  }

  /// Whether the project exists; prints a note if it does not.
  var exists: Bool {
    let exists = FileManager.default.fileExists(atPath: documents)
    if !exists { print("skipped: \(testDescription) is not there") }
    return exists
  }

  /// A configuration that writes the generated files to the folder `out` next to it.
  var configuration: String {
    """
    {"schema": "\(schema)", "src": "\(documents)", "artifactDirectory": "out",
     "customScalarTypes": {"Upload": "RelayStore.Upload"}}
    """
  }

  /// Reads the schema and the documents.
  func input() throws -> CompilationInput {
    let file = URL(fileURLWithPath: documents).appendingPathComponent(Project.configurationName)
    let configuration = try Configuration(file: file, bytes: ContiguousArray(configuration.utf8))
    return try Project(CompileOptions(), configuration, output: nil).input
  }
}
