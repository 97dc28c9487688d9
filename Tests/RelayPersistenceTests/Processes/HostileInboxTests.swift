import Foundation
import RelayStoreTesting
import Testing

@testable import RelayPersistence
@_spi(GeneratedCode) @testable import RelayStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("The inbox: what others have put there", .timeLimit(.minutes(1)))
struct HostileInboxTests {
  private let container = SharedContainer()
  private let cache = MemoryPersistence()
  private let database = MemoryPersistence()

  private var url: URL { container.inboxURL }

  /// The paths in the inbox, sorted.
  private var left: [String] {
    (FileManager.default.subpaths(atPath: url.path) ?? []).sorted()
  }

  private func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(
      at: url.appending(path: path), withIntermediateDirectories: true)
  }

  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: url.appending(path: path))
  }

  /// Creates a directory next to the inbox, with a file that must remain.
  private func makeVictim() throws -> URL {
    let victim = container.directory.url.appending(path: "victim")
    try FileManager.default.createDirectory(at: victim, withIntermediateDirectories: true)
    try Data("precious".utf8).write(to: victim.appending(path: "file"))
    return victim
  }

  private func isWhole(_ victim: URL) -> Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: victim.path)) == ["file"]
  }

  @Test("a wipe removes folders, also deep ones and those set aside, and follows no link in them")
  func wipeFolders() async throws {
    let victim = try makeVictim()
    try makeFolder("folder/inner/" + String(repeating: "d/", count: 300))
    try write("x", "folder/inner/file")
    let links = ["folder/link", "folder/inner/link", "link"]
    for link in links {
      try FileManager.default.createSymbolicLink(
        at: url.appending(path: link), withDestinationURL: victim)
    }
    let app = try container.app(cache, database)
    try await app.outbox.loaded()
    try MutationInbox(directory: url, user: "bob").add(.set("1", to: "of bob"))
    try await app.outbox.importFiles()
    #expect(left.contains("rejected/folder/inner/file"))
    try makeFolder("new/inner")
    try write("x", "new/inner/file")
    try await app.environment.wipe()
    #expect(left.isEmpty)
    #expect(isWhole(victim))
  }

  @Test("a plain file with the name of the folder for rejected files is set aside, and wiped")
  func rejectedFile() async throws {
    try makeFolder("")
    try write("x", "rejected")
    try write("y", "notes.txt")
    let app = try container.app(cache, database)
    try await app.outbox.loaded()
    try await app.outbox.importFiles()
    #expect(left.count == 3 && left.contains("rejected/notes.txt"))
    #expect(left.last?.hasPrefix("rejected/rejected.") == true)
    try await app.environment.wipe()
    #expect(left.isEmpty)
    try write("x", "rejected")
    try await app.environment.wipe()
    #expect(left.isEmpty)
  }

  @Test("a link with the name of the folder for rejected files is not followed")
  func rejectedLink() async throws {
    let victim = try makeVictim()
    try makeFolder("")
    let link = url.appending(path: "rejected")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim)
    let app = try container.app(cache, database)
    try await app.outbox.loaded()
    try await app.environment.wipe()
    #expect(left.isEmpty && isWhole(victim))

    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim)
    try write("y", "notes.txt")
    try await app.outbox.importFiles()
    #expect(left.contains("rejected/notes.txt") && isWhole(victim))
    try await app.environment.wipe()
    #expect(left.isEmpty && isWhole(victim))
  }

  @Test(
    "an inbox that is a link is refused; links above it are followed", arguments: ["", "/"])
  func inboxLink(slash: String) async throws {
    let victim = try makeVictim()
    try FileManager.default.createSymbolicLink(at: url, withDestinationURL: victim)
    let inbox = MutationInbox(
      directory: URL(fileURLWithPath: url.path + slash, isDirectory: true), user: "ada")
    let refused = #expect(throws: RelayError.self) { try inbox.add(.set("1", to: "x")) }
    #expect(refused?.code == .persistence && refused?.message.contains("is a link") == true)
    let app = try container.app(cache, database, inbox: inbox)
    try await app.outbox.loaded()
    await #expect(throws: RelayError.self) { try await app.outbox.importFiles() }
    await #expect(throws: RelayError.self) { try await app.environment.wipe() }
    #expect(isWhole(victim))

    let alias = container.directory.url.appending(path: "alias")
    try FileManager.default.createSymbolicLink(at: alias, withDestinationURL: victim)
    let below = MutationInbox(directory: alias.appending(path: "below"), user: "ada")
    try below.add(.set("1", to: "x"))
    let names = try FileManager.default.contentsOfDirectory(atPath: victim.path + "/below")
    #expect(names.count == 1)
  }

  @Test("a wipe goes on after what cannot be removed, and throws the first failure")
  func wipeGoesOn() async throws {
    for text in ["a", "b", "c"] { try container.inbox.add(.set("1", to: text)) }
    let first = try #require(container.pending.first)
    try makeFolder("folder")
    try write("x", "folder/stays")
    var inbox = container.inbox
    inbox.files.willCall = { call, path in
      if call == .remove, path.hasSuffix(first) || path.hasSuffix("stays") {
        throw PersistenceFailure(.io, "No: \((path as NSString).lastPathComponent).")
      }
    }
    let failure = #expect(throws: PersistenceFailure.self) { try inbox.removeAll() }
    #expect(failure?.description == "No: \(first).")
    #expect(left == [first, "folder", "folder/stays"])
    try container.inbox.removeAll()
    #expect(left.isEmpty)
  }

  @Test("a rejected file replaces no other of its name, and a folder is moved beside another one")
  func sameName() async throws {
    let app = try container.app(cache, database)
    try await app.outbox.loaded()
    let long = String(repeating: "n", count: 255)
    try makeFolder("")
    for round in 1...3 {
      try write("\(round)", "notes.txt")
      try write("\(round)", long)
      try makeFolder("folder")
      try write("\(round)", "folder/file")
      let report = try await app.outbox.importFiles()
      #expect(report.rejected.count == 3 && report.waitingCount == 0)
      for file in report.rejected where !file.path.contains("folder") {
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "\(round)")
      }
    }
    #expect(left.count == 1 + 3 + 3 + 6 && left.allSatisfy { $0.hasPrefix("rejected") })
  }

  @Test(
    "another mutation with the id of an entry is set aside and reported, and not deleted",
    arguments: [false, true])
  func otherMutation(isOfAnotherDate: Bool) async throws {
    let entry = try container.inbox.add(.set("1", to: "a"))
    let name = try #require(container.pending.first)
    let place = url.appending(path: name)
    let bytes = Array(try Data(contentsOf: place))
    let app = try container.app(cache, database)
    try await app.outbox.loaded()
    try await app.outbox.importFiles()
    var record = try #require(
      OutboxRecord(Array(try SealedFile.open(bytes, as: .mutation, cipher: nil))))
    if isOfAnotherDate {
      let old = record.entry
      record.entry = OutboxEntry(
        id: old.id, operationName: old.operationName, date: old.date + 1, state: old.state,
        attempts: old.attempts)
    } else {
      record.variables["text"] = "other"
    }
    let other = "7000000000000000" + name.dropFirst(16)
    try Data(SealedFile.seal(record.contents, as: .mutation, cipher: nil)).write(
      to: url.appending(path: other))
    let report = try await app.outbox.importFiles()
    #expect(report.rejected.map(\.reason) == ["Another mutation has its id."])
    #expect(report.entries.isEmpty && app.outbox.entries.map(\.id) == [entry.id])
    #expect(left == ["rejected", "rejected/\(other)"])
  }

  #if !canImport(Darwin)
    // Darwin's file systems have no such names.
    @Test("a name that is not UTF-8 is set aside once, and wiped")
    func foreignName() async throws {
      try makeFolder("")
      func make() throws {
        let name = url.path.utf8CString.dropLast() + [47, 97, -1, -2, 0]
        let file = open(Array(name), O_CREAT | O_WRONLY, 0o600)
        try #require(file >= 0)
        close(file)
      }
      func count(_ path: String) throws -> Int { try FileSystem().names(in: path).count }
      try make()
      let app = try container.app(cache, database)
      try await app.outbox.loaded()
      #expect(try await app.outbox.importFiles().rejected.count == 1)
      #expect(try await app.outbox.importFiles().isEmpty)
      #expect(try count(url.path) == 1 && count(url.path + "/rejected") == 1)
      try make()
      try await app.environment.wipe()
      #expect(try count(url.path) == 0)
    }
  #endif
}
