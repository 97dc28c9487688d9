import Foundation
import RelayStore

/// The persisted form of an outbox entry, with everything needed to send it without its code.
struct OutboxRecord: Sendable {
  var entry: OutboxEntry
  /// The identifier of the user who committed the mutation: a hash.
  var user = ""
  /// The document; empty if only its id is known.
  var text = ""
  var documentID: String?
  var declaredVariables: [String]?
  var variableDefaults: JSONObject = [:]
  /// The persisted normalization plan, including its client-only fields.
  var document: [UInt8] = []
  var variables: JSONObject = [:]
  /// The `data` of the optimistic response; `nil` for none.
  var optimisticResponse: JSONValue?
  /// The ids of the objects that the mutation concerns.
  var ids: Set<String> = []
  /// The entries that must complete before this one is sent.
  var after: [OutboxEntry.ID] = []
  /// The body of the response, once received.
  var response: [UInt8]?
  /// The ordinal of the response.
  var acknowledgement: UInt64 = 0
  /// The name of the imported inbox file until it is deleted; the entry is not sent before.
  var file: String?
  /// The files.
  var uploads: [StoredUpload] = []
  /// The key of the ``OutboxCoalescing``.
  var coalescingKey: String?
  /// The number of attempts that the server has certainly not executed.
  var unexecutedAttempts = 0

  // MARK: The persisted form

  /// The version of rows. Those of earlier versions lack the last members; a row with any other
  /// version counts as damaged.
  private static let version: UInt8 = 3
  /// The version of rows that may have a file name, and of those that may not.
  private static let (versionWithFile, firstVersion): (UInt8, UInt8) = (2, 1)

  var contents: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.text(entry.id.rawValue)
    writer.text(user)
    writer.text(entry.operationName)
    writer.fixed(entry.date.timeIntervalSince1970.bitPattern)
    let blocker = if case .blocked(let id) = entry.state { id } else { OutboxEntry.ID("") }
    let state = Self.states(blockedOn: blocker).firstIndex(of: entry.state)
    writer.byte(UInt8(state ?? 0))
    writer.text(blocker.rawValue)
    writer.number(entry.attempts)
    writer.optional(entry.errorMessage)
    writer.fixed((entry.nextAttempt?.timeIntervalSince1970 ?? 0).bitPattern)
    writer.text(text)
    writer.optional(documentID)
    writer.optional(declaredVariables?.joined(separator: " "))
    writer.json(.object(variableDefaults))
    document.withUnsafeBytes { writer.counted($0) }
    writer.json(.object(variables))
    writer.json(optimisticResponse ?? .null)
    writer.number(ids.count)
    for id in ids.sorted() { writer.text(id) }
    writer.number(after.count)
    for id in after { writer.text(id.rawValue) }
    writer.byte(response == nil ? 0 : 1)
    response?.withUnsafeBytes { writer.counted($0) }
    writer.number(acknowledgement)
    writer.optional(file)
    writer.optional(entry.label)
    writer.json(entry.userInfo ?? .null)
    writer.json(entry.failure ?? .null)
    writer.optional(coalescingKey)
    writer.json(.array(uploads.map(\.json)))
    writer.number(unexecutedAttempts)
    return writer.bytes
  }

  /// Returns the states by their numbers in the persisted form.
  private static func states(blockedOn blocker: OutboxEntry.ID) -> [OutboxEntry.State] {
    [
      .queued, .sending, .acknowledged, .failed, .blockedOnAuthentication, .blocked(on: blocker),
      .unknown,
    ]
  }

  /// Creates the record of a mutation.
  init(
    _ commit: MutationCommit, _ description: OutboxDescription, date: Date, after: [OutboxEntry.ID]
  ) {
    let operation = commit.operation
    entry = OutboxEntry(
      id: description.id, operationName: operation.name,
      date: date, state: .queued, attempts: 0)
    (entry.label, entry.userInfo) = (description.label, description.userInfo)
    (coalescingKey, uploads) = (description.coalescing?.key, description.uploads)
    text = operation.text
    documentID = operation.id
    declaredVariables = operation.declaredVariables
    variableDefaults = operation.variableDefaults
    document = PersistedPlan(operation.normalization)?.contents ?? []
    variables = commit.variables.json
    optimisticResponse = commit.optimisticResponse.flatMap { try? JSONValue(parsing: $0) }
    self.after = after
  }

  /// Decodes a row; `nil` if it is damaged.
  init?(_ contents: [UInt8]) {
    let decoded = contents.withUnsafeBytes { bytes -> OutboxRecord? in
      var reader = ByteReader(bytes)
      let version = reader.byte()
      guard Self.firstVersion...Self.version ~= version else { return nil }
      return OutboxRecord(&reader, version: version)
    }
    guard let decoded else { return nil }
    self = decoded
  }

  private init?(_ reader: inout ByteReader, version: UInt8) {
    let (id, user, name) = (reader.text(), reader.text(), reader.text())
    self.user = user
    let date = Double(bitPattern: reader.fixed())
    let state = Int(reader.byte())
    let states = Self.states(blockedOn: OutboxEntry.ID(reader.text()))
    guard states.indices.contains(state) else { return nil }
    entry = OutboxEntry(
      id: OutboxEntry.ID(id), operationName: name, date: Date(timeIntervalSince1970: date),
      state: states[state], attempts: min(reader.index(), Int(Int32.max) - 1))
    entry.errorMessage = reader.optional()
    let next = Double(bitPattern: reader.fixed())
    guard date.isFinite, next.isFinite else { return nil }
    if next != 0 { entry.nextAttempt = Date(timeIntervalSince1970: next) }
    text = reader.text()
    documentID = reader.optional()
    declaredVariables = reader.optional()?.split(separator: " ").map(String.init)
    let defaults = reader.json()?.object
    document = Array(reader.counted())
    let variables = reader.json()?.object
    let optimistic = reader.json()
    ids = Set((0..<reader.count()).map { _ in reader.text() })
    after = (0..<reader.count()).map { _ in OutboxEntry.ID(reader.text()) }
    if reader.byte() == 1 { response = Array(reader.counted()) }
    acknowledgement = reader.number()
    if version == Self.versionWithFile { file = reader.text() }
    if version == Self.version, !readNewer(&reader) { return nil }
    guard let defaults, let variables, let optimistic, reader.isValid, reader.isAtEnd,
      acknowledgement < ByteReader.counterLimit
    else { return nil }
    variableDefaults = defaults
    self.variables = variables
    optimisticResponse = optimistic.isNull ? nil : optimistic
  }

  /// Decodes the members that earlier versions lack; returns whether they are valid.
  private mutating func readNewer(_ reader: inout ByteReader) -> Bool {
    file = reader.optional()
    entry.label = reader.optional()
    guard let userInfo = reader.json(), let failure = reader.json() else { return false }
    entry.userInfo = userInfo.isNull ? nil : userInfo
    entry.failure = failure.isNull ? nil : failure
    coalescingKey = reader.optional()
    guard let files = reader.json()?.array else { return false }
    uploads = files.compactMap { StoredUpload(json: $0) }
    unexecutedAttempts = reader.index()
    // The id is the name of a directory.
    return uploads.count == files.count
      && (uploads.isEmpty || UUID(uuidString: entry.id.rawValue) != nil)
  }

  /// Whether both records describe the same mutation, ignoring delivery state.
  func isCopied(by other: OutboxRecord) -> Bool {
    entry.id == other.entry.id && entry.date == other.entry.date
      && entry.operationName == other.entry.operationName && text == other.text
      && documentID == other.documentID && document == other.document
      && variables == other.variables
  }

  /// The operation to send; `nil` if its plan has a different version.
  var operation: OperationPlan? {
    PersistedPlan.plan(document).map { plan in
      OperationPlan(
        stored: entry.operationName, id: documentID, text: text,
        declaredVariables: declaredVariables, variableDefaults: variableDefaults,
        normalization: plan)
    }
  }
}

extension ByteWriter {
  fileprivate mutating func optional(_ text: String?) {
    byte(text == nil ? 0 : 1)
    if let text { self.text(text) }
  }

  fileprivate mutating func json(_ value: JSONValue) {
    value.jsonBytes.withUnsafeBytes { counted($0) }
  }
}

extension ByteReader {
  fileprivate mutating func optional() -> String? { byte() == 0 ? nil : text() }

  fileprivate mutating func json() -> JSONValue? {
    counted().withMemoryRebound(to: UInt8.self) { try? JSONValue(parsing: $0) }
  }
}
