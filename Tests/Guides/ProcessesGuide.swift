import Foundation
import RelayPersistence
import RelayStore

// The Swift code of Docs/Offline.md about several processes; a test compares them.

/// The files that the app and its extensions share.
struct SharedFiles {
  /// The container of the app group.
  let group: URL
  let user: String

  var snapshot: URL { group.appending(path: "field.snapshot") }
  var inbox: MutationInbox {
    MutationInbox(directory: group.appending(path: "inbox"), user: user)
  }
}

/// Creates the environment of the app. Its outbox imports the mutations that extensions have added.
func makeAppEnvironment(
  _ files: SharedFiles, in support: URL, over transport: some Transport
) -> RelayEnvironment {
  let persistence = Persistence.sqlite(directory: support, user: files.user)
  var options = OutboxOptions(serverHonorsIdempotencyKeys: true)
  options.inbox = files.inbox
  return RelayEnvironment(
    store: RecordStore(configuration: .init(persistence: persistence).logging()),
    transport: transport, outbox: options)
}

/// Updates the snapshot while the caller retains the result.
func exportObservations(
  of environment: RelayEnvironment, to files: SharedFiles,
  reloadWidgets: @escaping @Sendable () -> Void
) -> SnapshotExporter {
  environment.exportSnapshots(
    of: [ObservationsQuery()], to: files.snapshot, onExport: reloadWidgets)
}

/// Returns the lines of the observations in the snapshot.
func widgetLines(_ files: SharedFiles) throws -> [String] {
  let environment = try RelayEnvironment(snapshot: files.snapshot)
  let edges = environment.read(ObservationsQuery()).data?.observations?.edges ?? []
  return edges.compactMap { edge in
    let row = edge?.node.flatMap { environment.read($0.fragments.observationRow_observation) }
    return row?.data.map { $0.isStarred ? "\($0.text) ★" : $0.text }
  }
}

/// Stars an observation in an extension. The app sends the mutation.
func starInExtension(_ id: String, _ files: SharedFiles) throws {
  try files.inbox.add(
    StarObservationMutation(id: id, isStarred: true),
    optimisticResponse: .complete(
      starObservation: .complete(observation: .complete(id: id, isStarred: true))),
    label: "A star")
}

/// Imports the mutations that extensions added while the app was inactive.
func appDidBecomeActive(_ environment: RelayEnvironment) async throws {
  guard let outbox = environment.outbox else { return }
  let report = try await outbox.importFiles()
  for file in report.rejected { print("\(file.path): \(file.reason)") }
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

  struct ObservationsEntry: TimelineEntry {
    let date: Date
    let lines: [String]
  }

  struct ObservationsProvider: TimelineProvider {
    let files: SharedFiles

    func placeholder(in context: Context) -> ObservationsEntry {
      ObservationsEntry(date: .now, lines: [])
    }

    func getSnapshot(in context: Context, completion: @escaping (ObservationsEntry) -> Void) {
      completion(ObservationsEntry(date: .now, lines: (try? widgetLines(files)) ?? []))
    }

    func getTimeline(
      in context: Context, completion: @escaping (Timeline<ObservationsEntry>) -> Void
    ) {
      getSnapshot(in: context) { completion(Timeline(entries: [$0], policy: .never)) }
    }
  }

  struct StarObservation: AppIntent {
    static let title: LocalizedStringResource = "Star the observation"
    @Parameter(title: "Id") var id: String

    func perform() async throws -> some IntentResult {
      if let files = SharedFiles(group: "group.example.field", user: currentUser()) {
        try starInExtension(id, files)
      }
      return .result()
    }
  }

  /// The user of the app, as saved by the app in the defaults of the app group.
  private func currentUser() -> String {
    UserDefaults(suiteName: "group.example.field")?.string(forKey: "user") ?? ""
  }
#endif
