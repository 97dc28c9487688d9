import Foundation
import Testing

@testable import RelayPersistence
@testable import RelayStore

/// The files of an inbox: their names, their order, and their removal.
@Suite("The inbox: its files", .timeLimit(.minutes(1)))
struct InboxFileTests {
  private let container = SharedContainer()
  private let cache = MemoryPersistence()
  private let database = MemoryPersistence()

  @Test("a wipe removes the mutations in the inbox, and those that were set aside")
  func wipe() async throws {
    let app = try container.app(cache, database)
    try await app.outbox.loaded()
    try container.inbox.add(.set("1", to: "a"))
    try container.inbox.add(.set("1", to: "x"))
    let damaged = try #require(container.pending.last)
    try Data().write(to: container.inboxURL.appending(path: damaged))
    // A run without a report: the mutations it imported belong to the user who signs out.
    app.outbox.importReporting()
    try container.inbox.add(.set("1", to: "b"))
    try await app.environment.wipe()
    let left = FileManager.default.subpaths(atPath: container.inboxURL.path) ?? []
    #expect(left.isEmpty)
    #expect(try await app.outbox.importFiles().isEmpty)
  }

  @Test("names keep the order of a process when the clock goes back")
  func names() throws {
    let late = Date(timeIntervalSince1970: 2_000_000_000)
    let first = InboxFileName(date: late, after: nil)
    let second = InboxFileName(date: Date(timeIntervalSince1970: 1), after: nil)
    #expect(first.text.precedesByBytes(second.text))
    let other = try #require(InboxFileName("00ff000000000000-0000000000000001.mutation"))
    #expect(InboxFileName(date: late, after: other).text > other.text)
    for name in ["a.mutation", "0-1.mutation", "zz00000000000000-0000000000000001.mutation", "x"] {
      #expect(InboxFileName(name) == nil)
    }
  }

  @Test("a file that the first listing lacks is taken in before a later one of its process")
  func listedTwice() throws {
    let inbox = container.inbox
    let ids = try (0..<3).map { try inbox.add(.set("1", to: "\($0)")).id }
    let name = try inbox.names()[1]
    let (place, hidden) = ("\(inbox.path)/\(name)", "\(container.directory.path)/hidden")
    try FileManager.default.moveItem(atPath: place, toPath: hidden)
    var racing = inbox
    let listings = Locked(0)
    racing.files.willCall = { call, _ in
      guard call == .list else { return }
      let count = listings.withLock { count in
        count += 1
        return count
      }
      guard count == 2 else { return }
      try FileManager.default.moveItem(atPath: hidden, toPath: place)
      // A file added in the meantime is left for the next time.
      try inbox.add(.set("1", to: "3"))
    }
    let names = try racing.namesToImport()
    let taken = try names.map { try inbox.record(in: $0, owner: SharedContainer.user)?.entry.id }
    #expect(taken == ids)
    #expect(try inbox.namesToImport().count == 4)
  }
}
