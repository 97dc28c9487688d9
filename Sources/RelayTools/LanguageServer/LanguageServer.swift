import Foundation
import GraphQLLanguage

/// The language server. It handles the editor's messages one at a time, and returns its own.
///
/// Changed documents and files are only marked. Sessions are updated when a response needs them,
/// and before diagnostics are published, once no more messages are waiting.
///
///     uninitialized ── initialize ──▶ running ── shutdown ──▶ shutDown ── exit ──▶ (exit code 0)
///          └── exit ──▶ (exit code 1) ◀── exit ──┘
struct LanguageServer {
  private enum Phase {
    case uninitialized, running, shutDown
  }

  /// Whether the editor has sent `initialized`. Until then the server only sends responses.
  var isInitialized = false

  /// The diagnostics last published for a file.
  struct Publication: Equatable {
    let version: Int?
    let diagnostics: [JSON]
  }

  private var phase = Phase.uninitialized
  /// The exit code of the process; `nil` while it runs.
  private(set) var exitCode: Int32?
  var client = ClientSupport()
  let files = EditedFiles()
  var projects: [ServedProject] = []
  /// The paths of the editor's folders.
  var editorFolders: [String] = []
  /// The paths of the folders that are searched for configurations: for each editor folder, the
  /// package around it if there is one. Projects in a package use one another's fragments.
  var folders: [String] {
    var seen: Set<String> = []
    return editorFolders.map { ProjectFinder.root(around: $0) }.filter { seen.insert($0).inserted }
  }
  /// Whether the folders must be searched for configurations.
  var mustFindProjects = false
  /// Whether the editor has been told that there is no configuration.
  var hasReportedMissing = false
  /// The published diagnostics, by URI.
  var published: [String: Publication] = [:]
  /// The semantic tokens last sent, by the canonical path of an open document.
  var sentTokens: [String: SentTokens] = [:]
  /// The number of results with semantic tokens.
  var sentTokenCount = 0
  /// Whether documents were opened, changed or closed since the last publication.
  var mustPublish = false
  /// Messages to send before the response to the current message.
  var outgoing: [JSON] = []

  /// Handles a message.
  ///
  /// - Returns: The messages to send.
  mutating func receive(_ message: Message) -> [JSON] {
    switch message {
    case .response: break
    case .invalid(let id, let error): outgoing.append(.response(to: id, .failure(error)))
    case .notification(let method, let params): notify(method, params)
    case .request(let id, let method, let params):
      let result: Result<JSON, ResponseError>
      do throws(ResponseError) { result = .success(try respond(method, params)) } catch {
        result = .failure(error)
      }
      outgoing.append(.response(to: id, result))
    }
    defer { outgoing = [] }
    return outgoing
  }

  /// Whether diagnostics may have changed since they were published.
  var hasNews: Bool {
    phase == .running && isInitialized
      && (mustFindProjects || mustPublish || projects.contains { $0.needsUpdate })
  }

  /// Ends the server, because no more messages can arrive.
  mutating func inputEnded() { exitCode = exitCode ?? (phase == .shutDown ? 0 : 1) }

  private mutating func notify(_ method: String, _ params: JSON?) {
    if method == "exit" { return inputEnded() }
    guard phase == .running else { return }
    switch method {
    case "initialized": initialized()
    case "textDocument/didOpen": didOpen(params)
    case "textDocument/didChange": didChange(params)
    case "textDocument/didClose": didClose(params)
    case "textDocument/didSave": filesChanged()
    case "workspace/didChangeWatchedFiles": didChangeWatchedFiles(params)
    case "workspace/didChangeWorkspaceFolders": didChangeFolders(params)
    default: break
    }
  }

  private mutating func respond(_ method: String, _ params: JSON?) throws(ResponseError) -> JSON {
    switch phase {
    case .uninitialized:
      guard method == "initialize" else {
        throw ResponseError(.serverNotInitialized, "The first request must be \"initialize\".")
      }
      phase = .running
      return initialize(params)
    case .shutDown:
      throw ResponseError(.invalidRequest, "The server was shut down.")
    case .running: break
    }
    switch method {
    case "initialize":
      throw ResponseError(.invalidRequest, "The server is already initialized.")
    case "shutdown":
      phase = .shutDown
      return nil
    default:
      updateProjects()
      return try respondToQuery(method, params)
    }
  }

  /// Updates the sessions to the current files and documents.
  mutating func updateProjects() {
    if mustFindProjects {
      findProjects()
      updateSessions()
      for path in files.documents.keys.sorted() { adopt(path) }
      if projects.isEmpty { reportMissing() }
    }
    updateSessions()
  }

  private mutating func updateSessions() {
    for index in projects.indices where projects[index].needsUpdate {
      projects[index].update(files)
      mustPublish = true
    }
  }

  private mutating func findProjects() {
    mustFindProjects = false
    let found = folders.flatMap(ProjectFinder.configurations)
    let kept = projects.map(\.path).filter { FileManager.default.fileExists(atPath: $0) }
    let known = Dictionary(
      projects.map { (files.canonical($0.path), $0) }, uniquingKeysWith: { first, _ in first })
    var seen: Set<String> = []
    projects = (kept + found).compactMap { path in
      let canonical = files.canonical(path)
      guard seen.insert(canonical).inserted else { return nil }
      return known[canonical] ?? ServedProject(path: path)
    }
    mustPublish = true
  }

  /// Adds the project of the nearest configuration above an open file that belongs to no project.
  /// If the editor has no folders, also adds the other projects of the file's package.
  mutating func adopt(_ path: String) {
    guard Self.mayBeSource(path), !projects.contains(where: { $0.isSource(path) }),
      let nearest = ProjectFinder.configuration(above: path)
    else { return }
    var found = [nearest]
    if editorFolders.isEmpty {
      let folder = (nearest as NSString).deletingLastPathComponent
      let root = ProjectFinder.root(around: folder)
      if root != folder { found += ProjectFinder.configurations(in: root) }
    }
    var known = Set(projects.map { files.canonical($0.path) })
    for configuration in found where known.insert(files.canonical(configuration)).inserted {
      projects.append(ServedProject(path: configuration))
    }
  }

  private mutating func reportMissing() {
    let isUsed = !folders.isEmpty || files.documents.keys.contains(where: Self.mayBeSource)
    guard isUsed, !hasReportedMissing else { return }
    hasReportedMissing = true
    let place = folders.isEmpty ? "a folder above the file" : "this folder or below it"
    let text =
      "No relay.config.json found in \(place), so tags and GraphQL files are not checked. "
      + "Create one with at least {\"schema\": \"schema.graphql\"}."
    outgoing.append(.notification("window/logMessage", ["type": 3, "message": .string(text)]))
  }
}
