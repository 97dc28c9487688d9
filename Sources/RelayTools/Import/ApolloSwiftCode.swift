import GraphQLLanguage
import RelayCompiler

/// Finds the uses of Apollo in an app's Swift files, so that the report can list them.
///
/// Words in a file count only if it imports Apollo, or if a module that contains it may export
/// Apollo to it: other code may use the same words.
struct ApolloSwiftCode {
  /// A feature of Apollo iOS, and its replacement.
  private struct Use {
    let subject: String
    /// The strings to search for; each matches only entire words.
    let texts: [String]
    let advice: String
  }

  /// The uses: each has a subject, the strings to search for, and advice. The last use has no
  /// strings; it covers the types nested in operation and fragment types.
  private static let uses = LiteralTable.sections(
    """
    cacheKeyInfo(for:object:)
      cacheKeyInfo CacheKeyInfo
      Keys are data, not code. `id` is the default; name other fields in "keyFields". Keys without the type's name (`id` alone) must be unique across all types.
    interceptors
      ApolloInterceptor InterceptorProvider DefaultInterceptorProvider RequestChain HTTPInterceptor GraphQLInterceptor
      Wrap the transport (`import RelayNetwork`): `HTTPTransport(url: url).intercepting { request, next in … }`, `.retrying()`, `.persistingQueries()`. Interceptors do not see the store: `Docs/Reference/Networking.md`.
    cache policies
      CachePolicy cachePolicy returnCacheDataElseFetch fetchIgnoringCacheData fetchIgnoringCacheCompletely returnCacheDataDontFetch returnCacheDataAndFetch
      `returnCacheDataElseFetch` is `policy: .storeOrNetwork`, `fetchIgnoringCacheData` `.networkOnly`, `returnCacheDataDontFetch` `.storeOnly`, `returnCacheDataAndFetch` `.storeAndNetwork`. `fetchIgnoringCacheCompletely` has no counterpart: responses are always written to the store. The default of `fetch` is `.networkOnly`: `Docs/Queries.md`.
    request configurations
      requestConfiguration RequestConfiguration requestTimeout writeResultsToCache
      A time-out is `timeout:` of `fetch`, `commit` and `LoadOptions`, or of `HTTPTransport(url:timeout:)` of RelayNetwork: `Docs/Reference/Networking.md`. `writeResultsToCache: false` has no counterpart: responses are always written to the store. `@noPersist` keeps fields off the disk: `Docs/Offline.md`.
    errors of a response
      response.errors response?.errors result.errors result?.errors graphQLResult.errors graphQLResponse.errors
      `responseErrors` of what `fetch` and `commit` return, and of the states of `observe`. Errors without data are thrown: `Docs/Reference/Errors.md`.
    watchers
      GraphQLQueryWatcher watch(query
      `for await state in environment.observe(query, policy:)`; in a view, observe the fragment that it shows.
    cache transactions
      ReadTransaction ReadWriteTransaction withinReadTransaction withinReadWriteTransaction updateObject
      `environment.commitUpdate { store in … }`: `Docs/Mutations.md`.
    normalized caches
      ApolloStore SQLiteNormalizedCache InMemoryNormalizedCache NormalizedCache clearCache
      `RecordStore`; on the disk, with the product RelayPersistence, `RecordStore.Configuration(persistence: .sqlite(directory:user:))`: `Docs/Offline.md`. `clearCache()` is `environment.reset()`.
    pagination
      GraphQLQueryPager AsyncGraphQLQueryPager ApolloPagination
      `@connection` and `@refetchable` on a fragment, and `environment.paginate`: `Docs/Pagination.md`. Offsets and page numbers have no counterpart.
    subscriptions
      WebSocketTransport SplitNetworkTransport
      `WebSocketTransport` of the product RelayLive, and `routingSubscriptions(to:)`: `Docs/Subscriptions.md`.
    uploads
      GraphQLFile
      `Upload` as a variable: `Docs/Uploads.md`.
    test mocks
      ApolloTestSupport Mock<
      Initializers of the generated structs, `SchemaServer(schema:generating:)`, `MockTransport`: `Docs/Testing.md`.
    GraphQLEnum<…>
      GraphQLEnum
      The enum itself; `unrecognized(String)` is a case of it.
    custom scalars in Swift
      CustomScalarType JSONEncodable JSONDecodable
      A scalar's type conforms to `CustomScalar`: `init(json:)` and `json`: `Docs/Reference/Fragments.md`.
    ApolloClient
      ApolloClient
      `RelayEnvironment(transport:)`.
    names of generated types
      A nested type is called by the type of its field, then by the response key: `XQuery.Data.Hero` is `XQuery.Data.Character_hero`. `relay-compiler explain XQuery` lists them. Code that maps results to models can take `@inline` fragments, whose data is read with the object around them.
    """
  ).map { subject, lines in
    Use(
      subject: subject,
      texts: lines.dropLast().flatMap { $0.split(separator: " ").map(String.init) },
      advice: lines.last ?? "")
  }

  /// The largest number of locations that the report lists for each use.
  private static let placeLimit = 12

  /// The uses by the first word of their strings, each with the remainder that must follow.
  private static let words: [String: (use: Int, rests: [String])] = {
    var words: [String: (use: Int, rests: [String])] = [:]
    for (number, use) in uses.enumerated() {
      for text in use.texts {
        let word = text.prefix { SwiftCursor.isIdentifier($0.utf8.first ?? 0) }
        words[String(word), default: (number, [])].rests.append(
          String(text.dropFirst(word.count)))
      }
    }
    return words
  }()

  /// The lengths of the words, so that most words of a file need no look-up.
  private static let lengths = Set(words.keys.map(\.utf8.count))

  /// A file that may use Apollo.
  private struct File {
    let path: String
    let bytes: ContiguousArray<UInt8>
    let importsApollo: Bool
  }

  /// The name of the generated schema's module, which exports Apollo.
  private let schemaModule: String
  /// The names of the operation types and of the fragment types.
  private let definitions: (operations: Set<String>, fragments: Set<String>)
  /// Whether files see Apollo's names without importing them.
  private var isExported: Bool
  private var files: [File] = []

  /// - Parameter isEmbedded: Whether generated code, which exports Apollo, is in the app's own
  ///   module.
  init(
    schemaModule: String, isEmbedded: Bool,
    definitions: (operations: Set<String>, fragments: Set<String>)
  ) {
    self.schemaModule = schemaModule
    isExported = isEmbedded
    self.definitions = definitions
  }

  /// Adds a file to search for uses.
  mutating func add(_ bytes: ContiguousArray<UInt8>, at path: String) {
    if bytes.starts(with: "// @generated".utf8) {
      // Generated code disappears entirely, except for code that the app wrote into it.
      let isChanged = bytes.withUnsafeBufferPointer { text in
        text.firstRange(ofWord: "can be edited") != nil
          && text.firstRange(ofWord: "CacheKeyInfo(") != nil
      }
      if !isChanged { return }
    }
    var importsApollo = false
    for statement in bytes.split(whereSeparator: { $0 == 0x0A || $0 == UInt8(ascii: ";") }) {
      guard let (module, exports) = Self.importedModule(statement) else { continue }
      if module.hasPrefix("Apollo") || module == schemaModule { importsApollo = true }
      if module.hasPrefix("Apollo"), exports { isExported = true }
    }
    files.append(File(path: path, bytes: bytes, importsApollo: importsApollo))
  }

  /// The words that may precede `import`.
  private static let modifiers: Set = [
    "@testable", "@_exported", "@preconcurrency", "@_implementationOnly", "public", "package",
    "internal", "fileprivate", "private",
  ]
  private static let importKinds: Set = [
    "typealias", "struct", "class", "enum", "protocol", "let", "var", "func",
  ]

  /// Returns the module that a statement imports, and whether the statement also exports it.
  private static func importedModule(
    _ statement: ArraySlice<UInt8>
  ) -> (module: String, exports: Bool)? {
    // Splitting most statements is not worth the time.
    guard let first = statement.first(where: { $0 != 0x20 && $0 != 0x09 }),
      first == UInt8(ascii: "@") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
    else { return nil }
    let words = String(decoding: statement, as: UTF8.self).split { " \t\r".contains($0) }
    guard let keyword = words.firstIndex(of: "import"),
      words[..<keyword].allSatisfy({ modifiers.contains(String($0)) })
    else { return nil }
    let rest = words[(keyword + 1)...].drop { importKinds.contains(String($0)) }
    guard let module = rest.first?.split(separator: ".").first else { return nil }
    return (String(module), words[..<keyword].contains("@_exported"))
  }

  /// The uses in a file, by index and line. Comments and strings are skipped.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  private func uses(in file: File) -> [(use: Int, line: Int)] {
    let isApollo = file.importsApollo || isExported
    var found: [(use: Int, line: Int)] = []
    file.bytes.withUnsafeBufferPointer { bytes in
      let cursor = SwiftCursor(bytes: bytes)
      var (line, counted) = (1, 0)
      // For a file with broken Swift, only the uses before the mistake are found.
      guard var position = try? cursor.skipTrivia(0) else { return }
      while position < cursor.count {
        let start = position
        let isWord = SwiftCursor.isIdentifier(cursor[start])
        let end = isWord ? cursor.endOfIdentifier(start) : (try? cursor.endOfToken(start))
        guard let end, let next = try? cursor.skipTrivia(end) else { return }
        position = next
        if isWord, bytes[start..<end].elementsEqual("import".utf8) {
          // An import alone does not count as a use, even an import of a single declaration.
          position =
            bytes[end...].firstIndex { $0 == 0x0A || $0 == UInt8(ascii: ";") } ?? bytes.count
          continue
        }
        guard isWord, let use = use(in: bytes, at: start..<end, isApollo: isApollo) else {
          continue
        }
        line += bytes[counted..<start].count { $0 == 0x0A }
        counted = start
        if !found.contains(where: { $0 == (use, line) }) { found.append((use, line)) }
      }
    }
    return found.sorted { ($0.line, $0.use) < ($1.line, $1.use) }
  }

  /// Returns the use that starts with a word.
  private func use(
    in bytes: UnsafeBufferPointer<UInt8>, at range: Range<Int>, isApollo: Bool
  ) -> Int? {
    let isDefinition = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= bytes[range.lowerBound]
    guard isDefinition || Self.lengths.contains(range.count) else { return nil }
    let word = String(decoding: bytes[range], as: UTF8.self)
    let rest = bytes[range.upperBound...]
    if isApollo, let found = Self.words[word],
      found.rests.contains(where: { rest.starts(with: $0.utf8) })
    {
      return found.use
    }
    let prefix = definitions.operations.contains(word) ? ".Data." : "."
    guard prefix == ".Data." || definitions.fragments.contains(word),
      rest.starts(with: prefix.utf8)
    else { return nil }
    let name = rest.dropFirst(prefix.utf8.count).prefix(while: SwiftCursor.isIdentifier)
    guard let first = name.first, UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first,
      !name.elementsEqual("Fragments".utf8), !name.elementsEqual("Data".utf8)
    else { return nil }
    return Self.uses.count - 1
  }

  /// A note for each Apollo feature in use.
  var notes: [MigrationNote] {
    var places: [Int: [String]] = [:]
    for file in files {
      for (use, line) in uses(in: file) { places[use, default: []].append("\(file.path):\(line)") }
    }
    return Self.uses.enumerated().compactMap { number, use in
      guard let places = places[number], let first = places.first else { return nil }
      let shown = places.prefix(Self.placeLimit)
      let more = shown.dropFirst().map(MigrationNote.code).joined(separator: ", ")
      let rest = places.count - shown.count
      let also = more.isEmpty ? "" : " Also at \(more)\(rest > 0 ? " and \(rest) more" : "")."
      return MigrationNote(
        kind: .manual, place: first, subject: use.subject, text: use.advice + also)
    }
  }
}
