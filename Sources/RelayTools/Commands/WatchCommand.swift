import Foundation
import RelayCompiler

extension Command {
  /// The `watch` command: recompiles a project after each change.
  static let watch = Command(
    name: "watch",
    syntax: "[--config FILE | --schema FILE --output DIRECTORY] [--strict-schema]",
    hiddenSyntax: "[--module NAME]",
    summary: """
      Compiles every document under src as compile does, and recompiles after each change, until \
      it is interrupted.
      """
  ) { arguments in
    var job = WatchJob(CompileOptions(arguments))
    // An error in the configuration ends the command before it starts waiting.
    try job.readConfiguration()
    var watcher = makeFolderWatcher()
    func watch(_ watch: (any FolderWatcher) -> Bool) throws {
      if watch(watcher) { return }
      try writeStandardOutput(
        "The system cannot watch this many folders; their files are compared instead.\n")
      watcher = PollingWatcher()
      _ = watch(watcher)
    }
    try watch { $0.watchBeforeReading(job.folders) }
    var changes: FileChanges? = .unknown
    let terminal = Terminal(STDOUT_FILENO)
    while let found = changes {
      let text = withProgress("Compiling") { job.compile(found) }
      try writeStandardOutput(terminal.highlighted(text))
      if job.hasReadProject { try watch { $0.watch(job.folders) } }
      changes = watcher.waitForQuiet(lock: job.lock)
    }
    return CommandResult(.success)
  }
}
