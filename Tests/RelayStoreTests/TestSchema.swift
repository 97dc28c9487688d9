/// The schema of the tests' documents, including the documents in graphql tags.
enum TestSchema {
  static let text = String(decoding: PackageResources.schema_graphql, as: UTF8.self)
}
