import Foundation
import GraphQLLanguage

/// The unknown keys of a configuration file.
struct ConfigurationKeys: Decodable {
  /// The path of each unknown key from the root of the file, and advice on how to correct it.
  private var unknown: [(path: String, help: String)] = []

  /// The keys of the file's root object. `$schema` is for editors.
  private static let root = [
    "$schema", "accessLevel", "artifactDirectory", "customScalarTypes", "excludes",
    "fileNamePrefix", "idScalars", "keyFields", "maxAge", "module", "modules", "noPersist",
    "persistConfig", "rawResponses", "sameSchema", "schema",
    "schemaExtensions", "schemaModule", "schemaName", "src",
  ]
  private static let persisted = [
    "algorithm", "file", "includeQueryText", "include_query_text", "url",
  ]
  private static let scalar = ["name", "path"]

  init(from decoder: any Decoder) throws {
    let file = try decoder.container(keyedBy: Key.self)
    addUnknownKeys(of: file, allowed: Self.root)
    if let object = try? file.nestedContainer(keyedBy: Key.self, forKey: "persistConfig") {
      addUnknownKeys(of: object, at: "persistConfig.", allowed: Self.persisted)
    }
    let scalars = try? file.nestedContainer(keyedBy: Key.self, forKey: "customScalarTypes")
    for key in scalars?.allKeys ?? [] {
      guard let object = try? scalars?.nestedContainer(keyedBy: Key.self, forKey: key) else {
        continue
      }
      addUnknownKeys(of: object, at: "customScalarTypes.\(key.stringValue).", allowed: Self.scalar)
    }
  }

  /// Adds the keys of an object that are not among the allowed ones to the unknown keys.
  ///
  /// - Parameter path: The keys of the enclosing objects, each followed by a period.
  private mutating func addUnknownKeys(
    of object: KeyedDecodingContainer<Key>, at path: String = "", allowed: [String]
  ) {
    for key in object.allKeys.map(\.stringValue) where !allowed.contains(key) {
      let near = suggestions(for: key, among: allowed).map { path + $0 }
      unknown.append((path + key, didYouMean(near) ?? "Remove it."))
    }
  }

  /// Throws ``ConfigurationMistakes`` that name every unknown key, if there is one.
  func check() throws(ConfigurationMistakes) {
    if unknown.isEmpty { return }
    throw ConfigurationMistakes(
      unknown.sorted { $0.path < $1.path }.map { path, help in
        (message: "There is no \"\(path)\". \(help)", key: path)
      })
  }

  /// A key with any text.
  private struct Key: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { nil }
  }
}
