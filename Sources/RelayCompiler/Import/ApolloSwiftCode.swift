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
        "`returnCacheDataElseFetch` is `policy: .storeOrNetwork`, `fetchIgnoringCacheData` `.networkOnly`, `returnCacheDataDontFetch` `.storeOnly`, `returnCacheDataAndFetch` `.storeAndNetwork`. Nothing is like `fetchIgnoringCacheCompletely`: responses are always written to the store. The default of `fetch` is `.networkOnly`: `Docs/Queries.md`."
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

  /// The uses by the first word of their texts, each with what has to follow the word.
  private static let words: [String: (use: Int, rest: String)] = {
    var words: [String: (use: Int, rest: String)] = [:]
    for (number, use) in uses.enumerated() {
      for text in use.texts {
        let word = text.prefix { isWordPart($0.utf8.first ?? 0) }
        words[String(word)] = (number, String(text.dropFirst(word.count)))
      }
    }
    return words
  }()

  /// The lengths of the words, so that most of a file's words need no look-up.
  private static let lengths = Set(words.keys.map(\.utf8.count))

  private var places: [Int: [String]] = [:]
  private var counts: [Int: Int] = [:]

  /// Looks for uses in a file.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  mutating func scan(_ bytes: ContiguousArray<UInt8>, at path: String) {
    // Generated code goes away as a whole.
    if bytes.starts(with: "// @generated".utf8) { return }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let code = line.drop { $0 == 0x20 || $0 == 0x09 }
      if code.starts(with: "//".utf8) || code.starts(with: "import ".utf8) { continue }
      for number in Self.uses(in: code).sorted() {
        counts[number, default: 0] += 1
        if counts[number] ?? 0 <= Self.placeLimit {
          places[number, default: []].append("\(path):\(index + 1)")
        }
      }
    }
  }

  /// Returns the uses in a line, by their indices.
  private static func uses(in line: ArraySlice<UInt8>) -> Set<Int> {
    var result: Set<Int> = []
    var rest = line
    while !rest.isEmpty {
      rest = rest.drop { !isWordPart($0) }
      let word = rest.prefix(while: isWordPart)
      rest = rest[word.endIndex...]
      guard lengths.contains(word.count),
        let found = words[String(decoding: word, as: UTF8.self)],
        rest.starts(with: found.rest.utf8)
      else { continue }
      result.insert(found.use)
    }
    return result
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

  /// Whether a byte can be in an identifier.
  private static func isWordPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
