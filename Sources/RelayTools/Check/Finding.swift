import GraphQLLanguage

/// A change that affects an operation.
struct Finding {
  var change: SchemaChange
  /// The operation's name; `nil` for a document that no operation uses.
  let operation: String?
  /// How often the operation is used, if known.
  var usage: Double?
  /// The versions of the app that send the operation, the project's documents last.
  var versions: [String] = []
  /// The response paths that use the changed element; empty for the entire operation.
  var paths: [String] = []
  /// The project's documents that use the element.
  var places: [SourceLocation] = []
  /// The Swift code that reads the field.
  var reads: [SourceLocation] = []
  /// The operation's locations in manifests.
  var manifestPlaces: [SourceLocation] = []

  init(change: SchemaChange, operation: String?) {
    self.change = change
    self.operation = operation
  }

  /// An error in a document of the project.
  init(_ error: Diagnostic, at place: SourceLocation?) {
    self.init(
      change: SchemaChange(.documentInvalid, error.rule, "\(error.message) [\(error.rule)]"),
      operation: nil)
    versions = [CheckedOperation.currentVersion]
    if let place { places = [place] }
  }

  /// The locations for tools that show one: the project's documents if they use the element,
  /// otherwise the first manifest.
  var shownPlaces: [SourceLocation] {
    places.isEmpty ? Array(manifestPlaces.prefix(1)) : places
  }
}
