import GraphQLLanguage

/// Finds in an app's Swift files what uses Apollo, so that the report can list it.
struct ApolloSwiftCode {
  /// A name of Apollo iOS, and what takes its place.
  private struct Use {
    /// The texts that are looked for; each counts as a word of its own.
    let texts: [String]
    let subject: String
    let advice: String

    init(of texts: [String], as subject: String, advice: String) {
      self.texts = texts
      self.subject = subject
      self.advice = advice
    }
  }

  private static let uses = [
    Use(
      of: ["cacheKeyInfo", "CacheKeyInfo"], as: "cacheKeyInfo(for:object:)",
      advice:
        "Keys are data, not code. `id` is the default; name other fields in \"keyFields\". Keys without the type's name (`id` alone) have to be unique over all types."
    ),
    Use(
      of: [
        "ApolloInterceptor", "InterceptorProvider", "DefaultInterceptorProvider", "RequestChain",
        "HTTPInterceptor", "GraphQLInterceptor",
      ], as: "interceptors",
      advice:
        "Wrap the transport: `HTTPTransport(url: url).intercepting { request, next in … }`, `.retrying()`, `.persistingQueries()`. Interceptors do not see the store: `Docs/Networking.md`."
    ),
    Use(
      of: [
        "CachePolicy", "cachePolicy", "returnCacheDataElseFetch", "fetchIgnoringCacheData",
        "fetchIgnoringCacheCompletely", "returnCacheDataDontFetch", "returnCacheDataAndFetch",
      ],
      as: "cache policies",
      advice:
        "`returnCacheDataElseFetch` is `policy: .storeOrNetwork`, `fetchIgnoringCacheData` `.networkOnly`, `returnCacheDataDontFetch` `.storeOnly`, `returnCacheDataAndFetch` `.storeAndNetwork`. The default of `fetch` is `.networkOnly`: `Docs/Queries.md`."
    ),
    Use(
      of: ["GraphQLQueryWatcher", "watch(query"], as: "watchers",
      advice:
        "`for await state in environment.observe(query, policy:)`; in a view, observe the fragment that it shows."
    ),
    Use(
      of: ["ReadWriteTransaction", "withinReadWriteTransaction", "updateObject", "ApolloStore"],
      as: "cache transactions",
      advice: "`environment.commitUpdate { store in … }`: `Docs/Mutations.md`."),
    Use(
      of: ["SQLiteNormalizedCache", "InMemoryNormalizedCache", "NormalizedCache", "clearCache"],
      as: "normalized caches",
      advice:
        "`RecordStore`; on the disk with `RecordStore.Configuration(storage: .sqlite(directory:user:))`: `Docs/Persistence.md`. `clearCache()` is `environment.reset()`."
    ),
    Use(
      of: ["GraphQLQueryPager", "AsyncGraphQLQueryPager", "ApolloPagination"], as: "pagination",
      advice:
        "`@connection` and `@refetchable` on a fragment, and `environment.paginate`: `Docs/Pagination.md`. Offsets and page numbers have no counterpart."
    ),
    Use(
      of: ["WebSocketTransport", "SplitNetworkTransport"], as: "subscriptions",
      advice: "`WebSocketTransport` and `routingSubscriptions(to:)`: `Docs/Subscriptions.md`."),
    Use(
      of: ["GraphQLFile"], as: "uploads",
      advice: "`Upload` among the variables: `Docs/Networking.md`."),
    Use(
      of: ["ApolloTestSupport", "Mock<"], as: "test mocks",
      advice:
        "Initializers of the generated structs, `SchemaServer(schema:generating:)`, `MockTransport`: `Docs/Testing.md`."
    ),
    Use(
      of: ["GraphQLEnum"], as: "GraphQLEnum<…>",
      advice: "The enum itself; `unrecognized(String)` is a case of it."),
    Use(
      of: ["CustomScalarType", "JSONEncodable", "JSONDecodable"], as: "custom scalars in Swift",
      advice:
        "A scalar's type conforms to `CustomScalar`: `init(json:)` and `json`: `Docs/Scalars.md`."),
    Use(of: ["ApolloClient"], as: "ApolloClient", advice: "`RelayEnvironment(transport:)`."),
  ]

  /// The number of places that the report lists of each use.
  private static let placeLimit = 12

  private var places: [Int: [String]] = [:]
  private var counts: [Int: Int] = [:]

  /// Looks for uses in a file.
  mutating func scan(_ bytes: ContiguousArray<UInt8>, at path: String) {
    // Generated code goes away as a whole.
    if bytes.starts(with: "// @generated".utf8) { return }
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let code = line.drop { $0 == " " || $0 == "\t" }
      if code.hasPrefix("//") || code.hasPrefix("import ") { continue }
      for (number, use) in Self.uses.enumerated()
      where use.texts.contains(where: { Self.hasWord($0, in: line) }) {
        counts[number, default: 0] += 1
        if counts[number] ?? 0 <= Self.placeLimit {
          places[number, default: []].append("\(path):\(index + 1)")
        }
      }
    }
  }

  /// A note for each thing of Apollo that is used.
  var notes: [MigrationNote] {
    Self.uses.enumerated().compactMap { number, use in
      guard let places = places[number], let first = places.first else { return nil }
      let more = places.dropFirst().map(MigrationNote.code).joined(separator: ", ")
      let rest = (counts[number] ?? 0) - places.count
      let also = more.isEmpty ? "" : " Also at \(more)\(rest > 0 ? " and \(rest) more" : "")."
      return MigrationNote(.manual, at: first, of: use.subject, use.advice + also)
    }
  }

  private static func hasWord(_ word: String, in line: Substring) -> Bool {
    var rest = line
    while let range = rest.firstRange(of: word) {
      let before = rest[..<range.lowerBound].last ?? " "
      let after = rest[range.upperBound...].first ?? " "
      if !isWordPart(before), !isWordPart(after) || !isWordPart(word.last ?? " ") { return true }
      rest = rest[range.upperBound...]
    }
    return false
  }

  private static func isWordPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}
