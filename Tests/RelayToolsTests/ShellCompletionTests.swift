import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

/// The completion scripts, run by the shells that are installed.
@Suite("Completion in a shell", .timeLimit(.minutes(1)))
struct ShellCompletionTests {
  /// Returns the output of a shell that runs a script; `nil` if it is not installed.
  private static func output(of shell: String, _ script: String) throws -> String? {
    let paths = ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + shell }
    guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
      print("skipped: \(shell) is not installed")
      return nil
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("completion-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    let file = folder.appendingPathComponent("script")
    try Data(script.utf8).write(to: file)
    process.arguments =
      shell == "fish"
      ? ["--no-config", file.path] : shell == "zsh" ? ["-f", file.path] : [file.path]
    process.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin", "TERM": "dumb"]
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  private static func script(_ shell: CompletionShell) -> String {
    runRelayCompiler(["completion", shell.rawValue]).output
  }

  /// Command lines whose last word is completed, with the completions.
  private static let cases: [(words: [String], completions: [String])] = [
    (["va"], ["validate"]), (["sch"], ["schema"]), (["schema", ""], ["print", "download"]),
    (["validate", "--s"], ["--strict-schema", "--spec", "--schema"]),
    (["validate", "--format", ""], ["text", "json"]),
    (["operations", "--format", "a"], ["apollo"]),
    (["schema", "download", "--h"], ["--header", "--help"]),
    (["schema", "print", "--format", "j"], ["json"]),
    (["completion", ""], ["bash", "zsh", "fish"]), (["help", "un"], ["unused"]),
    (["import", ""], ["apollo"]), (["init", "--header", ""], []),
    (["init", "--editor", ""], ["vscode", "neovim", "emacs", "helix", "zed"]),
    (["init", "--editor", "n"], ["neovim"]), (["explain", ""], []),
  ]

  @Test("bash completes commands, options and values", arguments: cases.indices)
  func bash(index: Int) throws {
    let (words, completions) = Self.cases[index]
    let line = (["relay-compiler"] + words).map { "'\($0)'" }.joined(separator: " ")
    let script = """
      \(Self.script(.bash))
      COMP_WORDS=(\(line)); COMP_CWORD=\(words.count); _relay_compiler
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let found = try #require(try Self.output(of: "bash", script)).split(separator: "\n")
    #expect(Set(found.map(String.init)) == Set(completions), "\(found)")
  }

  @Test("bash completes files and folders for values that are paths")
  func bashPaths() throws {
    let script = """
      compopt() { echo "$@"; }
      \(Self.script(.bash))
      complete_words() { COMP_WORDS=(relay-compiler "$@"); COMP_CWORD=$#; _relay_compiler; }
      complete_words compile --output ''
      complete_words compile --config ''
      complete_words compile --import Module ''
      complete_words compile --import ''
      complete_words validate ''
      complete_words format src
      """
    #expect(
      try Self.output(of: "bash", script) == """
        -o dirnames +o default
        -o default
        -o default
        +o default
        -o default
        -o default

        """)
  }

  @Test("zsh accepts the script, and its arguments have options, values and explanations")
  func zsh() throws {
    let script = """
      compdef() { echo "compdef $@"; }
      _describe() { print -r -- "describe ${(P)4[1]}"; }
      _arguments() { print -lr -- "$@"; }
      \(Self.script(.zsh))
      words=(relay-compiler ''); CURRENT=2; _relay-compiler
      words=(relay-compiler validate ''); CURRENT=3; _relay-compiler
      words=(relay-compiler schema ''); CURRENT=3; _relay-compiler
      words=(relay-compiler schema download ''); CURRENT=4; _relay-compiler
      words=(relay-compiler init ''); CURRENT=3; _relay-compiler
      """
    guard let output = try Self.output(of: "zsh", script) else { return }
    let lines = output.split(separator: "\n")
    #expect(lines.first == "compdef _relay-compiler relay-compiler", "\(output)")
    for line in [
      "describe init:Sets up a project in the current folder",
      "*--schema[A file of the schema, to check documents without a configuration]:FILE:_files",
      "*:DOCUMENT:_files",
      "--editor[The editor to set up]:vscode|neovim|emacs|helix|zed:(vscode neovim emacs helix zed)",
      "describe print:Prints a schema file, SDL or introspection JSON, as SDL",
    ] { #expect(lines.contains(Substring(line)), "\(line)\n\(output)") }
    #expect(output.contains(#"]:"NAME\: VALUE": "#), "\(output)")
  }

  @Test("fish completes commands, options and values, with explanations", arguments: cases.indices)
  func fish(index: Int) throws {
    let (words, completions) = Self.cases[index]
    let line = (["relay-compiler"] + words).joined(separator: " ")
    let script = Self.script(.fish) + "\ncomplete -C '\(line)'\n"
    guard let output = try Self.output(of: "fish", script) else { return }
    let found = output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    #expect(Set(found.map(String.init)) == Set(completions), "\(output)")
    let isExplained = output.split(separator: "\n").allSatisfy { $0.contains("\t") }
    #expect(isExplained || !words.contains { $0.hasPrefix("--s") || $0 == "va" }, "\(output)")
  }

  @Test("an unknown shell is an error")
  func unknown() {
    for arguments in [[], ["csh"], ["bash", "zsh"]] {
      let result = runRelayCompiler(["completion"] + arguments)
      #expect(result.exitCode == .usage)
      #expect(result.errors.hasPrefix("error: Name one shell: bash, zsh or fish.\nusage: "))
    }
  }
}
