/// The schema that the tests' documents are written against, those of graphql tags included.
enum TestSchema {
  static let text = String(decoding: PackageResources.schema_graphql, as: UTF8.self)
}
