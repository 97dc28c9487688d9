import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("The help of relay-compiler", .timeLimit(.minutes(1)))
struct CommandHelpTests {
  private static func run(_ arguments: [String], width: Int = 80) -> CommandResult {
    Command.run(arguments, of: Command.all, on: Terminal(width: width))
  }

  @Test("every option and operand of a command is explained, and nothing else is")
  func explanations() {
    for command in Command.all {
      let syntax = CommandSyntax(command.syntax)
      let names = syntax.options.map(\.name) + syntax.operands.map(\.text)
      for name in names {
        #expect(command.explanation(of: name) != nil, "\(command.words): \(name)")
      }
      let unknown = command.explanations.keys.filter { !names.contains($0) }
      #expect(unknown.isEmpty, "\(command.words): \(unknown)")
    }
  }

  @Test("no line is wider than the terminal", arguments: [200, 80, 50, 40])
  func width(width: Int) {
    for arguments in [["help"]] + Command.all.map({ [$0.name, "--help"] }) {
      let lines = Self.run(arguments, width: width).output.split(separator: "\n")
      #expect(!lines.isEmpty)
      for line in lines where line.count > width {
        // A group in brackets is not broken, and neither are an option and its value.
        let words = line.drop { $0 == " " }
        let isOption = words.hasPrefix("--") && words.count { $0 == " " } == 1
        #expect(words.hasPrefix("[") || isOption || !words.contains(" "), "\(line)")
      }
    }
  }

  @Test("the explanations are next to the options, or below them on a narrow terminal")
  func layout() {
    #expect(
      Self.run(["format", "--help"], width: 70).output.hasSuffix(
        """

        Arguments
          FILE  A GraphQL or Swift file. Without one, formats the project's
                files.
          -     Formats standard input to standard output.

        Options
          --config FILE  The project's configuration. Without it:
                         relay.config.json in the current directory.
          --check        Writes no files, lists those that would change, and
                         fails if there are any.

        """))
    #expect(
      Self.run(["lsp", "-h"], width: 40).output == """
        usage: relay-compiler lsp

        Serves an editor over the Language
        Server Protocol on standard input and
        output. It works inside graphql tags and
        in .graphql files of the projects whose
        relay.config.json is in the editor's
        folders.

        """)
    #expect(
      Self.run(["help", "schema", "print"], width: 40).output.hasSuffix(
        """
          --format text|json
              With json, prints the diagnostics
              as JSON to standard output. The
              default is text on standard error.

        """))
  }

  @Test("help names a command, all commands of a word, or corrects it")
  func topics() {
    let schema = Self.run(["help", "schema"]).output
    #expect(schema.contains("usage: relay-compiler schema print ["))
    #expect(schema.contains("\nusage: relay-compiler schema download ["))
    #expect(Self.run(["schema", "--help"]).output == schema)
    let one = Self.run(["help", "schema", "print"]).output
    #expect(one.hasPrefix("usage: relay-compiler schema print [") && !one.contains("download"))
    #expect(Self.run(["schema", "print", "--help"]).output == one)
    let unknown = Self.run(["help", "complie"])
    #expect(unknown.exitCode == .usage)
    #expect(
      unknown.errors.hasPrefix(
        "error: Unknown command \"complie\". Did you mean \"compile\"? "), "\(unknown.errors)")
    #expect(
      Self.run(["schema", "prnt"]).errors.hasPrefix(
        "error: \"schema\" takes print or download. Did you mean \"print\"?\nusage: "))
  }

  @Test("the list of commands has the first clause of each summary")
  func overview() {
    let lines = Self.run(["--help"], width: 200).output.split(separator: "\n")
    #expect(lines.contains("  init             Sets up a project in the current folder"))
    #expect(
      lines.contains("  schema print     Prints a schema file, SDL or introspection JSON, as SDL"))
    #expect(Self.run([]).errors == Self.run(["help"]).output)
  }

  // MARK: Terminals

  @Test("the environment sets the width and the colors of a file")
  func environment() throws {
    let file = try #require(FileHandle(forReadingAtPath: "/dev/null"))
    func terminal(_ environment: [String: String]) -> Terminal {
      Terminal(file.fileDescriptor, environment: environment)
    }
    #expect(terminal([:]).width == 80)
    #expect(terminal(["COLUMNS": "50"]).width == 50)
    #expect(terminal(["COLUMNS": "-1"]).width == 80)
    #expect(!terminal(["TERM": "xterm"]).hasColors)
    #expect(terminal(["CLICOLOR_FORCE": "1"]).hasColors)
    #expect(!terminal(["CLICOLOR_FORCE": "1", "NO_COLOR": "1"]).hasColors)
    #expect(!terminal(["TERM": "xterm", "CLICOLOR": "1"]).canReplaceLines)
  }

  @Test("help has the colors of standard output, and errors have none before they are printed")
  func helpColors() {
    let terminal = Terminal(hasColors: true)
    let help = Command.run(["help", "explain"], of: Command.all, on: terminal)
    #expect(help.output.hasPrefix("\u{1B}[1musage:\u{1B}[0m relay-compiler explain ["))
    for arguments in [[], ["explain"], ["schema"], ["explian"]] {
      let result = Command.run(arguments, of: Command.all, on: terminal)
      #expect(!result.errors.isEmpty && !result.errors.contains("\u{1B}"), "\(arguments)")
    }
  }

  @Test("severities and marks are colored, and sources are not")
  func colors() {
    let text = """
      Feed.swift:12:7: error: Cannot query field "nam". [fields-on-correct-type]
         |
      12 |   nam # error: no
         |   ^^^
        help: Did you mean "name"?
      2 errors
      """
    let colored = Terminal(hasColors: true).highlighted(text)
    #expect(
      colored == """
        \u{1B}[1mFeed.swift:12:7: \u{1B}[0m\u{1B}[1;31merror:\u{1B}[0m Cannot query field "nam". [fields-on-correct-type]
           |
        12 |   nam # error: no
           |   \u{1B}[1;31m^^^\u{1B}[0m
        \u{1B}[1m  \u{1B}[0m\u{1B}[1;36mhelp:\u{1B}[0m Did you mean "name"?
        2 errors
        """)
    #expect(Terminal().highlighted(text) == text)
  }
}
