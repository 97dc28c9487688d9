import GraphQLLanguage
import RelayCompiler

/// How often each operation is used, from a file such as `{"FeedQuery": 12000}`. The keys are names
/// or ids.
struct UsageCounts {
  private var counts: [String: Double] = [:]

  /// No counts.
  init() {}

  /// Reads a file.
  ///
  /// - Throws: ``ConfigurationError`` with the line of the first mistake, such as the name of an
  ///   unknown operation.
  init(_ source: Source, of operations: [CheckedOperation]) throws(ConfigurationError) {
    let names = Dictionary(
      operations.flatMap { [($0.name, $0.name), ($0.id, $0.name)] },
      uniquingKeysWith: { first, _ in first })
    for (key, value) in try LocatedJSON(source).allMembers() {
      guard let name = names[key] else {
        let question = didYouMean(
          suggestions(for: key, among: Set(operations.map(\.name)).sorted()))
        throw value.mistake(
          "No document and no manifest has an operation \"\(key)\"."
            + (question.map { " " + $0 } ?? ""))
      }
      let count = try value.number()
      guard count >= 0 else { throw value.error("is negative; it must be a count.") }
      counts[name, default: 0] += count
    }
  }

  /// Returns the count of an operation; `nil` if the file has none.
  subscript(operation: String) -> Double? { counts[operation] }
}
