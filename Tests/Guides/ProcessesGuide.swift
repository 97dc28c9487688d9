import Foundation
import RelayPersistence
import RelayStore

/// The files that the app and its extensions share.
struct SharedFiles {
  /// The container of the app group.
  let group: URL
  let user: String

  var snapshot: URL { group.appending(path: "feed.snapshot") }
  var inbox: MutationInbox {
    MutationInbox(directory: group.appending(path: "inbox"), user: user)
  }
}

/// Creates the environment of the app. Its outbox imports the mutations that extensions have added.
func makeAppEnvironment(
  _ files: SharedFiles, in support: URL, over transport: some Transport
) -> RelayEnvironment {
  let persistence = Persistence.sqlite(
    directory: support.appending(path: "graph"), user: files.user)
  var options = OutboxOptions(serverHonorsIdempotencyKeys: true)
  options.inbox = files.inbox
  return RelayEnvironment(
    store: RecordStore(configuration: .init(persistence: persistence).logging()),
    transport: transport, outbox: options)
}

/// Updates the snapshot while the caller retains the result.
func exportFeed(
  of environment: RelayEnvironment, to files: SharedFiles,
  reloadWidgets: @escaping @Sendable () -> Void
) -> SnapshotExporter {
  environment.exportSnapshots(
    of: [FeedQuery(first: 10)], to: files.snapshot, onExport: reloadWidgets)
}

/// Returns the texts of the incomplete todos in the feed.
func widgetLines(_ files: SharedFiles) throws -> [String] {
  let environment = try RelayEnvironment(snapshot: files.snapshot)
  let feed = environment.read(FeedQuery(first: 10)).data?.feed ?? []
  return feed.compactMap { todo in
    let row = environment.read(todo.fragments.todoRow_todo).data
    return row?.isComplete == false ? row?.text : nil
  }
}

/// Completes a todo from an extension, or from the app itself.
func complete(_ id: String, in environment: RelayEnvironment) async throws {
  try await environment.commit(
    SetCompleteMutation(input: .init(id: id, isComplete: true)),
    optimisticResponse: .init(setComplete: .init(todo: .init(id: id, isComplete: true))),
    durability: .outbox())
}

/// Completes a todo in an extension.
func completeInExtension(_ id: String, _ files: SharedFiles) async throws {
  guard
    let environment = try? RelayEnvironment(snapshot: files.snapshot, inbox: files.inbox)
  else {
    // There is no snapshot yet, or it is of another version: the mutation needs none.
    try files.inbox.add(
      SetCompleteMutation(input: .init(id: id, isComplete: true)),
      optimisticResponse: .init(setComplete: .init(todo: .init(id: id, isComplete: true))))
    return
  }
  try await complete(id, in: environment)
}

/// Imports the mutations that extensions added while the app was inactive.
func appDidBecomeActive(_ environment: RelayEnvironment) async throws {
  guard let outbox = environment.outbox else { return }
  let report = try await outbox.importFiles()
  for file in report.rejected { print("\(file.path): \(file.reason)") }
}

/// Ends a user's session, including the data that extensions have.
func signOut(of environment: RelayEnvironment, _ files: SharedFiles) async throws {
  try await environment.wipe()
  try await environment.removeSnapshot(at: files.snapshot)
}

// tvOS has the module but no widgets; visionOS has widgets from version 26.
#if canImport(WidgetKit) && canImport(AppIntents) && (os(macOS) || os(iOS) || os(watchOS))
  import AppIntents
  import WidgetKit

  extension SharedFiles {
    /// The files in the container of the app group; `nil` without the entitlement.
    init?(group identifier: String, user: String) {
      let container = FileManager.default.containerURL(
        forSecurityApplicationGroupIdentifier: identifier)
      guard let container else { return nil }
      self.init(group: container, user: user)
    }
  }

  struct FeedEntry: TimelineEntry {
    let date: Date
    let lines: [String]
  }

  struct FeedProvider: TimelineProvider {
    let files: SharedFiles

    func placeholder(in context: Context) -> FeedEntry { FeedEntry(date: .now, lines: []) }

    func getSnapshot(in context: Context, completion: @escaping (FeedEntry) -> Void) {
      completion(FeedEntry(date: .now, lines: (try? widgetLines(files)) ?? []))
    }

    func getTimeline(
      in context: Context, completion: @escaping (Timeline<FeedEntry>) -> Void
    ) {
      getSnapshot(in: context) { completion(Timeline(entries: [$0], policy: .never)) }
    }
  }

  struct CompleteTodo: AppIntent {
    static let title: LocalizedStringResource = "Complete the todo"
    @Parameter(title: "Id") var id: String

    func perform() async throws -> some IntentResult {
      if let files = SharedFiles(group: "group.example.todos", user: currentUser()) {
        try await completeInExtension(id, files)
      }
      return .result()
    }
  }

  /// The user of the app, as saved by the app in the defaults of the app group.
  private func currentUser() -> String {
    UserDefaults(suiteName: "group.example.todos")?.string(forKey: "user") ?? ""
  }
#endif
