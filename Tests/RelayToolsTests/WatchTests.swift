import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler watch", .timeLimit(.minutes(1)))
struct WatchTests {
  private static let schema = "type Query { me: User } type User { id: ID! name: String }"

  private func project(_ files: [String: String]) throws -> (TemporaryProject, WatchJob) {
    let project = try TemporaryProject(
      files.merging(["schema.graphql": Self.schema]) { own, _ in own })
    var options = CompileOptions()
    options.config = project.folder.appendingPathComponent("relay.config.json").path
    return (project, WatchJob(options))
  }

  /// The output without the time.
  private func line(_ text: String) -> String {
    text.replacing(#/ \(\d+ ms\)/#, with: "")
  }

  @Test("a change is compiled, errors are printed once, and their correction is told")
  func changes() throws {
    var (project, job) = try project(["src/A.graphql": "query AQuery { me { name } }"])
    #expect(line(job.compile()) == "2 files, 2 changed\n")
    #expect(job.compile() == "")
    try project.write(["src/A.graphql": "query AQuery { me { nam } }"])
    let errors = job.compile()
    #expect(errors.contains("A.graphql:1:21: error: Cannot query field \"nam\""))
    #expect(job.compile() == "")
    let old = project.read("out/A.graphql.swift")
    try project.write(["src/A.graphql": "query AQuery { me { name id } }"])
    #expect(
      line(job.compile())
        == "No more errors.\nA.graphql.swift\n2 files, 1 changed\n")
    #expect(project.read("out/A.graphql.swift") != old)
  }

  @Test("a removed file is marked, and a scalar's file is counted and named with its folder")
  func names() throws {
    var (project, job) = try project([
      "src/A.graphql": "query AQuery { me { name } }",
      "src/B.graphql": "query BQuery { me { id } }",
    ])
    #expect(line(job.compile()) == "3 files, 3 changed\n")
    try project.remove("src/B.graphql")
    #expect(line(job.compile()) == "B.graphql.swift removed\n2 files, 0 changed, 1 removed\n")
    try project.write([
      "schema.graphql": "scalar Money " + Self.schema.replacing("name: String", with: "name: Money")
    ])
    let file = Project.shownPath(project.folder.appendingPathComponent("CustomScalars/Money.swift"))
    #expect(
      line(job.compile())
        == "\(file)\nA.graphql.swift\nSchema.graphql.swift\n3 files, 3 changed\n")
  }

  @Test("files come and go, and the schema and the configuration may change")
  func project() throws {
    var (project, job) = try project(["src/A.graphql": "query AQuery { me { ...B } }"])
    #expect(job.compile().contains("Unknown fragment \"B\""))
    try project.write(["src/deep/B.graphql": "fragment B on User { name }"])
    #expect(line(job.compile()).hasSuffix("3 files, 3 changed\n"))
    try project.write([
      "schema.graphql": Self.schema.replacing("name: String", with: "title: String")
    ])
    #expect(job.compile().contains("Cannot query field \"name\""))
    try project.write(["src/deep/B.graphql": "fragment B on User { title }"])
    // The operation's document contains the fragment's.
    #expect(
      line(job.compile())
        == "No more errors.\nA.graphql.swift\nB.graphql.swift\n3 files, 2 changed\n")
    let configuration = try #require(project.read("relay.config.json"))
    try project.write(["relay.config.json": "{"])
    #expect(job.compile().contains("relay.config.json:1:2: error: "))
    #expect(job.compile() == "")
    try project.write(["relay.config.json": configuration])
    #expect(line(job.compile()) == "No more errors.\n3 files, 0 changed\n")
    try FileManager.default.removeItem(at: project.folder.appendingPathComponent("src/deep"))
    try project.write(["src/A.graphql": "query AQuery { me { id } }"])
    #expect(
      line(job.compile())
        == "A.graphql.swift\nB.graphql.swift removed\n2 files, 1 changed, 1 removed\n")
    #expect(project.read("out/B.graphql.swift") == nil)
  }

  @Test("the warnings of a compilation are printed once, and errors are counted")
  func report() throws {
    let tag = "private let q = graphql(\"fragment A on User { id }\")\n"
    var (project, job) = try project([
      "src/A.swift": tag, "src/B.swift": tag.replacing("A on", with: "B on"),
    ])
    #expect(job.compile().contains("The tag at "))
    try project.write(["src/A.swift": tag.replacing("id", with: "id name")])
    #expect(line(job.compile()) == "A.graphql.swift\n3 files, 1 changed\n")
    try project.write(["src/A.swift": tag.replacing("id", with: "a b")])
    let errors = job.compile()
    #expect(errors.hasSuffix("2 errors\n") && !errors.contains("warning"))
  }

  @Test("of many files written the first five are listed, and the others are counted")
  func manyFiles() throws {
    var (project, job) = try project(["src/A.graphql": "query AQuery { me { id } }"])
    _ = job.compile()
    let names = (1...7).map { "F\($0)" }
    try project.write(
      Dictionary(
        uniqueKeysWithValues: names.map { ("src/\($0).graphql", "fragment \($0) on User { id }") }))
    let first = names.prefix(5).map { "\($0).graphql.swift\n" }.joined()
    #expect(line(job.compile()) == first + "… and 2 more\n9 files, 7 changed\n")
  }

  @Test(
    "a generated file that somebody else changes, removes or replaces is written again",
    arguments: ["rm A", "edit A", "rm all", "edit Schema", "move"])
  func generatedFiles(change: String) throws {
    var (project, job) = try project([
      "src/A.graphql": "query AQuery { me { name } }", "src/B.graphql": "fragment B on User { id }",
    ])
    _ = job.compile()
    let names = ["A.graphql.swift", "B.graphql.swift", "Schema.graphql.swift"]
    let texts = names.map { project.read("out/\($0)") }
    let path = project.folder.path + "/out/" + names[0]
    #expect(job.compile(.files([path, project.folder.path + "/out/.new"])) == "")
    switch change {
    case "rm A": try project.remove("out/" + names[0])
    case "edit A": try project.write(["out/" + names[0]: (texts[0] ?? "") + "// x\n"])
    case "rm all": try project.remove("out")
    case "edit Schema": try project.write(["out/" + names[2]: (texts[2] ?? "") + "// x\n"])
    default:
      try project.write([
        "relay.config.json": project.read("relay.config.json")?.replacing("out", with: "new") ?? ""
      ])
    }
    let changes: FileChanges =
      switch change {
      case "move", "rm all": .unknown
      case "edit Schema": .files([project.folder.path + "/out/" + names[2]])
      default: .files([path])
      }
    let changed = job.compile(changes)
    let count = change == "rm all" || change == "move" ? 3 : 1
    #expect(line(changed).hasSuffix("3 files, \(count) changed\n"))
    let folder = change == "move" ? "new" : "out"
    #expect(names.map { project.read("\(folder)/\($0)") } == texts)
    #expect(job.compile(.files([path])) == "")
  }

  @Test("the folder of the package's manifest is watched, which says the modules")
  func watchedPackage() throws {
    let project = try TemporaryProject([
      "Package.swift": #"let package = Package(targets: [.target(name: "A")])"#,
      "Sources/A/A.graphql": "query AQuery { me { name } }",
      "Sources/A/schema.graphql": Self.schema,
      "Sources/A/relay.config.json":
        #"{"schema": "schema.graphql", "src": ".", "artifactDirectory": "../../Out"}"#,
    ])
    var options = CompileOptions()
    options.config = project.folder.appendingPathComponent("Sources/A/relay.config.json").path
    var job = WatchJob(options)
    try job.readConfiguration()
    let folders = job.folders.folders.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    #expect(folders.contains(project.folder.standardizedFileURL.path))
  }

  @Test("the folder of generated files is watched, wherever it is")
  func watchedOutput() throws {
    var (project, job) = try project(["src/A.graphql": "query AQuery { me { name } }"])
    let watcher = makeFolderWatcher()
    _ = job.compile()
    #expect(watcher.watch(job.folders))
    _ = watcher.waitForQuiet(timeout: 60_000)
    try project.remove("out/A.graphql.swift")
    let changes = try #require(watcher.waitForQuiet(timeout: 60_000))
    #expect(line(job.compile(changes)) == "A.graphql.swift\n2 files, 1 changed\n")
  }

  @Test(
    "a folder of sources that is removed is compiled when it comes back", arguments: 0..<2,
    ["src", "module"])
  func removedFolder(index: Int, removed: String) throws {
    var (project, job) = try project([
      "src/A.graphql": "query AQuery { me { name } }",
      "packages/module/B.graphql": "fragment B on User { id }",
      "relay.config.json": """
      {"schema": "schema.graphql", "src": "src", "artifactDirectory": "out",
        "modules": {"Module": "packages/module"}}
      """,
    ])
    let watcher = Self.watchers[index]()
    func wait() throws -> FileChanges { try #require(watcher.waitForQuiet(timeout: 60_000)) }
    _ = job.compile()
    #expect(watcher.watch(job.folders))
    _ = try wait()
    let folder = removed == "src" ? "src" : "packages"
    let moved = project.folder.path + "/." + folder
    try FileManager.default.moveItem(atPath: project.folder.path + "/" + folder, toPath: moved)
    #expect(job.compile(try wait()).contains("Cannot read the folder"))
    #expect(watcher.watch(job.folders))
    while watcher.waitForQuiet(timeout: 0) != nil {}
    try FileManager.default.moveItem(atPath: moved, toPath: project.folder.path + "/" + folder)
    #expect(job.compile(try wait()).contains("No more errors."))
  }

  #if os(Linux)
    @Test("a folder that is removed and created again before it is watched again counts as new")
    func recreatedFolder() throws {
      let (project, _) = try project(["src/A.graphql": "a"])
      let folder = project.folder.path + "/src"
      let folders = WatchedFolders(trees: [folder])
      let watcher = try #require(InotifyWatcher())
      #expect(watcher.watch(folders))
      while watcher.wait(timeout: 0) != nil {}
      try FileManager.default.removeItem(atPath: folder)
      while watcher.wait(timeout: 0) != nil {}
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      // Nothing tells of a file that is written before the folder is watched.
      try project.write(["src/A.graphql": "b"])
      #expect(watcher.watch(folders))
      #expect(watcher.wait(timeout: 0) == .unknown)
      #expect(watcher.watch(folders))
      #expect(watcher.wait(timeout: 0) == nil)
    }
  #endif

  @Test("the folders of sources may be links, and those that are missing are looked for")
  func watchedFolders() throws {
    let (project, _) = try project(["real/deep/A.graphql": "a", "real/.hidden/B.graphql": "b"])
    let root = project.folder.path
    for (link, target) in ["link": "real", "real/deep/loop": "../../real"] {
      try FileManager.default.createSymbolicLink(
        atPath: root + "/" + link, withDestinationPath: target)
    }
    let folders = WatchedFolders(trees: [root + "/link", root + "/no/folder"])
    #expect(folders.all() == [root, root + "/link", root + "/link/deep"])
  }

  @Test("what watch writes is what compile writes")
  func sameFiles() throws {
    var (project, job) = try project([
      "src/A.graphql": "query AQuery { me { ...B } }", "src/B.graphql": "fragment B on User { id }",
    ])
    _ = job.compile()
    try project.write(["src/B.graphql": "fragment B on User { id name }"])
    _ = job.compile()
    let names = ["A.graphql.swift", "B.graphql.swift", "Schema.graphql.swift"]
    let watched = names.map { project.read("out/\($0)") }
    #expect(project.compile().output == "3 files, 0 changed\n")
    #expect(names.map { project.read("out/\($0)") } == watched)
  }

  @Test("a file whose date is a whole second settles later: its file system may have no others")
  func settledStamp() throws {
    let (project, _) = try project(["src/A.graphql": "a"])
    let path = project.folder.path + "/src/A.graphql"
    func isSettled(afterMilliseconds age: Int, nanoseconds: Int) throws -> Bool {
      var times = [timespec(), timespec()]
      (times[1].tv_sec, times[1].tv_nsec) = (1_000_000, nanoseconds)
      #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
      var now = times[1]
      now.tv_nsec += age % 1_000 * 1_000_000
      now.tv_sec += age / 1_000
      return try #require(FileStamp(ofFile: path)).isSettled(at: now)
    }
    #expect(try isSettled(afterMilliseconds: 200, nanoseconds: 5_000))
    #expect(try !isSettled(afterMilliseconds: 50, nanoseconds: 5_000))
    #expect(try !isSettled(afterMilliseconds: 1_900, nanoseconds: 0))
    #expect(try isSettled(afterMilliseconds: 2_100, nanoseconds: 0))
  }

  @Test(
    "a link to a folder is watched by the folder's path too, and a missing folder by its own path"
  )
  func realPaths() throws {
    let (project, _) = try project(["src/A.graphql": "a"])
    let link = project.folder.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: project.folder.appendingPathComponent("src"))
    let resolved = try #require(realpath(project.folder.path, nil))
    defer { free(resolved) }
    let real = String(cString: resolved)
    let folders = WatchedFolders(trees: [link.path], folders: [real + "/missing"])
    #expect(folders.realPaths == [link.path, real + "/missing", real + "/src"].sorted())
  }

  // MARK: Watchers

  /// A watcher whose changes a test chooses. It logs how long it was asked to wait.
  private final class ScriptedWatcher: FolderWatcher {
    private var steps: [() -> FileChanges?]
    private(set) var timeouts: [Int32] = []

    init(_ steps: [() -> FileChanges?]) { self.steps = steps }

    func watch(_ folders: WatchedFolders) -> Bool { true }

    func wait(timeout: Int32) -> FileChanges? {
      timeouts.append(timeout)
      return steps.isEmpty ? nil : steps.removeFirst()()
    }
  }

  @Test("a round begins when nothing has changed for 50 ms")
  func silence() {
    let watcher = ScriptedWatcher([{ .files(["a"]) }, { .files(["b"]) }, { .files(["c"]) }])
    let start = ContinuousClock.now
    #expect(watcher.waitForQuiet(now: { start }) == .files(["a", "b", "c"]))
    #expect(watcher.timeouts == [-1, 50, 50, 50])
    #expect(ScriptedWatcher([]).waitForQuiet(timeout: 0) == nil)
  }

  @Test("a round does not begin while git changes files", arguments: [false, true])
  func lock(isWorktree: Bool) throws {
    let project = try TemporaryProject([
      "repository/.git/worktrees/w/index.lock": "", "repository/.git/index.lock": "",
      "repository/src/A.swift": "", "worktree/.git": "gitdir: ../repository/.git/worktrees/w\n",
      "worktree/src/deep/A.swift": "",
    ])
    let path = isWorktree ? "worktree/src/deep" : "repository/src"
    let lock = try #require(GitLock(around: project.folder.path + "/" + path))
    let watcher = ScriptedWatcher([
      { .files(["a"]) }, { nil },
      {
        try? FileManager.default.removeItem(atPath: lock.path)
        return .files(["b"])
      }, { nil }, { .files(["next"]) },
    ])
    let start = ContinuousClock.now
    #expect(lock.isHeld)
    #expect(watcher.waitForQuiet(lock: lock, now: { start }) == .files(["a", "b"]))
    #expect(!lock.isHeld)
    let kept = isWorktree ? "repository/.git/index.lock" : "repository/.git/worktrees/w/index.lock"
    #expect(project.read(kept) != nil)
  }

  @Test("a lock that stays, and changes that never end, do not keep a round back")
  func limits() throws {
    let project = try TemporaryProject([".git/index.lock": ""])
    let lock = try #require(GitLock(around: project.folder.path))
    var time = ContinuousClock.now
    func now() -> ContinuousClock.Instant {
      time += .milliseconds(50)
      return time
    }
    let held = ScriptedWatcher([{ .files(["a"]) }])
    #expect(held.waitForQuiet(lock: lock, now: now) == .files(["a"]))
    #expect(held.timeouts.count > 10)
    let endless = ScriptedWatcher(Array(repeating: { .files(["a"]) }, count: 1_000))
    #expect(endless.waitForQuiet(now: now) == .files(["a"]))
    #expect(endless.timeouts.count < 1_000)
  }

  private static let watchers: [@Sendable () -> any FolderWatcher] = [
    makeFolderWatcher, { PollingWatcher(interval: 5) },
  ]

  @Test(
    "a watcher finds files that are written, renamed, and made in new folders", arguments: 0..<2)
  func watchers(index: Int) throws {
    let (project, _) = try project(["src/A.graphql": "a", "out/X.swift": "x"])
    let watcher = Self.watchers[index]()
    var folders = WatchedFolders()
    folders.trees = [project.folder.path]
    #expect(watcher.watch(folders))
    // Anything may have changed before watching started.
    #expect(watcher.wait(timeout: 60_000) == .unknown)
    #expect(watcher.waitForQuiet(timeout: 0) == nil)
    let source = project.folder.path + "/src/"
    try project.write(["src/A.graphql": "changed"])
    #expect(watcher.waitForQuiet(timeout: 60_000) == .files([source + "A.graphql"]))
    try FileManager.default.moveItem(atPath: source + "A.graphql", toPath: source + "B.graphql")
    #expect(
      watcher.waitForQuiet(timeout: 60_000)
        == .files([source + "A.graphql", source + "B.graphql"]))
    try project.write(["src/new/C.graphql": "c"])
    #expect(watcher.waitForQuiet(timeout: 60_000) != nil)
    #expect(watcher.watch(folders))
    _ = watcher.waitForQuiet(timeout: 0)
    try project.write(["src/new/C.graphql": "changed"])
    #expect(watcher.waitForQuiet(timeout: 60_000) == .files([source + "new/C.graphql"]))
    try FileManager.default.removeItem(atPath: source + "new")
    #expect(watcher.waitForQuiet(timeout: 60_000) != nil)
  }

  @Test(
    "what was there before the first compilation is compiled once, and what changes during it again",
    arguments: 0..<2)
  func firstCompilation(index: Int) throws {
    var (project, job) = try project(["src/A.graphql": "query AQuery { me { id } }", "out/x": ""])
    let watcher = Self.watchers[index]()
    try job.readConfiguration()
    #expect(watcher.watchBeforeReading(job.folders))
    try project.write(["src/A.graphql": "query AQuery { me { name } }"])
    _ = job.compile()
    #expect(watcher.watch(job.folders))
    guard case .files(let paths)? = watcher.waitForQuiet(timeout: 60_000) else {
      return #expect(Bool(false), "All files are said to have changed.")
    }
    #expect(paths.contains(project.folder.path + "/src/A.graphql"))
    #expect(job.compile(.files(paths)) == "")
  }

  @Test("files that an error has kept from being written are written after it")
  func failedWrite() throws {
    let sources = [
      "src/A.graphql": "query AQuery { me { id } }", "src/Z.graphql": "query ZQuery { me { id } }",
    ]
    var (project, job) = try project(sources.mapValues { $0.replacing("id", with: "name") })
    _ = job.compile()
    let shared = "out/Schema.graphql.swift"
    try project.remove(shared)
    try project.write(sources.merging([shared + "/x": ""]) { $1 })
    let error = job.compile()
    #expect(error.hasPrefix("error: "))
    // The same error is not reported again, and the file that was not written does not count as a
    // change.
    #expect(job.compile(.files([project.folder.path + "/src/A.graphql"])) == "")
    try project.remove(shared)
    #expect(job.compile(.files([project.folder.path + "/out/.relay-compiler-1.new"])) == "")
    let text = job.compile()
    #expect(text.contains("No more errors.\n") && text.hasSuffix("ms)\n"), "\(text)")
    for name in ["A", "Z"] {
      let text = try #require(project.read("out/\(name).graphql.swift"))
      #expect(text.contains("var id") && !text.contains("var name"), "\(name)")
    }
  }

  @Test("a folder of generated files that was removed is watched again")
  func removedOutput() throws {
    var (project, job) = try project(["src/A.graphql": "query AQuery { me { id } }"])
    _ = job.compile()
    let output = project.folder.path + "/out"
    try project.remove("out")
    _ = job.compile(.files([output + "/A.graphql.swift"]))
    #expect(job.hasReadProject)
    try project.write(["src/A.graphql": "query AQuery { me { name } }"])
    _ = job.compile(.files([project.folder.path + "/src/A.graphql"]))
    #expect(!job.hasReadProject)
  }

  @Test("files count as changed unless they are in the folder in which they were written")
  func writtenFiles() throws {
    let project = try TemporaryProject(["a/A": "1", "b/A": "1"])
    let (first, second) = (project.folder.path + "/a", project.folder.path + "/b")
    var written = WrittenFiles()
    written.keep(["A"], of: ["A", "B"], in: first)
    #expect(written.changed(among: ["A", "B"], in: first) == ["B"])
    #expect(written.changed(among: ["A"], in: second) == ["A"])
    written.keep([], of: ["A"], in: second)
    #expect(written.changed(among: ["A"], in: second) == ["A"])
  }

  @Test(
    "only the files that a watcher names are read again, unless others may belong to the project")
  func namedFiles() throws {
    var (project, job) = try project([
      "src/A.graphql": "query AQuery { me { name } }", "src/B.graphql": "fragment B on User { id }",
    ])
    _ = job.compile()
    let source = project.folder.path + "/src/"
    try project.write([
      "src/A.graphql": "query AQuery { me { id } }", "src/B.graphql": "fragment B",
    ])
    #expect(
      line(job.compile(.files([source + "A.graphql", source + "A.graphql~", source + ".A.swp"])))
        == "A.graphql.swift\n3 files, 1 changed\n")
    #expect(!job.hasReadProject)
    #expect(job.compile(.files([source + "B.graphql"])).contains("B.graphql:1:11: error: "))
    try project.remove("src/B.graphql")
    #expect(
      line(job.compile(.files([source + "B.graphql"])))
        == "No more errors.\nB.graphql.swift removed\n2 files, 0 changed, 1 removed\n"
    )
    #expect(job.hasReadProject)
    try project.write(["schema.graphql": "type Query { me: User } type User { key: ID }"])
    #expect(
      job.compile(.files([project.folder.path + "/schema.graphql"])).contains(
        "Cannot query field \"id\""))
  }
}
