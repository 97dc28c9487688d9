import Foundation
import GraphQLLanguage

/// The keys that a configuration has, to find those that nothing reads.
struct ConfigurationKeys: Decodable {
  /// Each with those of the objects around it, and what to do.
  private var unknown: [(path: String, help: String)] = []

  /// What the file may have; `$schema` is for editors.
  private static let known = [
    "$schema", "accessLevel", "artifactDirectory", "customScalarTypes", "excludes",
    "fileNamePrefix", "keyFields", "module", "modules", "persistConfig",
    "rawResponses", "schema",
    "schemaExtensions", "schemaModule", "schemaName", "src",
  ]
  private static let persisted = [
    "algorithm", "file", "includeQueryText", "include_query_text", "url",
  ]
  private static let scalar = ["name", "path"]

  init(from decoder: any Decoder) throws {
    let file = try decoder.container(keyedBy: Key.self)
    note(file, Self.known)
    if let object = try? file.nestedContainer(keyedBy: Key.self, forKey: "persistConfig") {
      note(object, at: "persistConfig.", Self.persisted)
    }
    let scalars = try? file.nestedContainer(keyedBy: Key.self, forKey: "customScalarTypes")
    for key in scalars?.allKeys ?? [] {
      guard let object = try? scalars?.nestedContainer(keyedBy: Key.self, forKey: key) else {
        continue
      }
      note(object, at: "customScalarTypes.\(key.stringValue).", Self.scalar)
    }
  }

  /// - Parameter path: The keys around the object, each with a point behind it.
  private mutating func note(
    _ object: KeyedDecodingContainer<Key>, at path: String = "", _ known: [String]
  ) {
    for key in object.allKeys.map(\.stringValue) where !known.contains(key) {
      let near = suggestions(for: key, among: known).map { path + $0 }
      unknown.append((path + key, didYouMean(near) ?? "Remove it."))
    }
  }

  /// - Throws: ``ConfigurationError`` that names every key that nothing reads.
  func check(file: URL) throws {
    if unknown.isEmpty { return }
    let lines = unknown.sorted { $0.path < $1.path }.map { path, help in
      "\(file.path): error: There is no \"\(path)\". \(help)"
    }
    throw ConfigurationError(lines.joined(separator: "\n"))
  }

  /// Any key.
  private struct Key: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { nil }
  }
}
