import Foundation
import GraphQLLanguage

/// A command of `relay-compiler`.
package struct Command: Sendable {
  package let name: String
  /// The second word of a command whose name is shared with others; otherwise empty.
  package let action: String
  /// The options and operands, in the syntax of ``CommandSyntax``.
  package let syntax: String
  /// Options that are accepted but not listed in help.
  let hiddenSyntax: String
  let summary: String
  /// The explanations of options and operands that help lists, by name or placeholder. Those that
  /// several commands share are in ``commonExplanations``.
  let explanations: [String: String]
  let run: @Sendable (_ arguments: Arguments) throws -> CommandResult

  /// Creates a command.
  package init(
    name: String, action: String = "", syntax: String, hiddenSyntax: String = "", summary: String,
    explanations: [String: String] = [:],
    run: @escaping @Sendable (_ arguments: Arguments) throws -> CommandResult
  ) {
    self.name = name
    self.action = action
    self.syntax = syntax
    self.hiddenSyntax = hiddenSyntax
    self.summary = summary
    self.explanations = explanations
    self.run = run
  }

  /// Explanations of options that mean the same for all commands without their own.
  private static let commonExplanations = [
    "--config":
      "The project's configuration. Without it: relay.config.json in the current directory.",
    "--format":
      "With json, prints the diagnostics as JSON to standard output. The default is text on standard error.",
    "--output":
      "The folder of the generated files, instead of \"artifactDirectory\" in the configuration.",
    "--schema":
      "The schema, to compile the sources in the current directory without a configuration.",
    "--strict-schema":
      "Also rejects invalid default values and directives in the server's schema.",
  ]

  /// Returns the explanation of an option or operand.
  package func explanation(of name: String) -> String? {
    explanations[name] ?? Self.commonExplanations[name]
  }

  /// The words that name the command.
  package var words: String { action.isEmpty ? name : "\(name) \(action)" }

  /// The first clause of the summary.
  package var brief: String {
    let ends = [": ", ". "].compactMap { summary.firstRange(of: $0)?.lowerBound }
    let clause = summary[..<(ends.min() ?? summary.endIndex)]
    return String(clause.hasSuffix(".") ? clause.dropLast() : clause)
  }

  // MARK: Running

  /// Runs the command named by the first argument. Its errors have no control characters but line
  /// breaks.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the program's own name.
  ///   - commands: The program's commands, in the order help lists them.
  ///   - program: The program's name.
  ///   - terminal: The terminal that help is for.
  package static func run(
    _ arguments: [String], of commands: [Command], as program: String = "relay-compiler",
    on terminal: Terminal = Terminal(STDOUT_FILENO)
  ) -> CommandResult {
    var result = result(of: arguments, of: commands, as: program, on: terminal)
    result.errors = result.errors.escapingControlCharacters(except: ["\n"])
    return result
  }

  private static func result(
    of arguments: [String], of commands: [Command], as program: String, on terminal: Terminal
  ) -> CommandResult {
    let help = CommandHelp(program: program, commands: commands, terminal: terminal)
    // Standard error may be something else; its colors are added when it is printed.
    let plain = CommandHelp(
      program: program, commands: commands, terminal: Terminal(width: terminal.width))
    guard let name = arguments.first else { return CommandResult(.usage, errors: plain.overview) }
    let rest = Array(arguments.dropFirst())
    do throws(Arguments.Mistake) {
      switch name {
      case "--version":
        let (release, format) = (CompilerVersion.release, CompilerVersion.format)
        return CommandResult(
          .success, output: "\(program) \(release), generated code \(format)\n")
      case "help" where !rest.isEmpty:
        return CommandResult(.success, output: help.text(of: try help.commands(named: rest)))
      case "help", "--help", "-h": return CommandResult(.success, output: help.overview)
      default: break
      }
      let named = try help.commands(named: [name])
      if rest.contains("--help") || rest.contains("-h") {
        let chosen = (try? help.commands(named: arguments)) ?? named
        return CommandResult(.success, output: help.text(of: chosen))
      }
      if let command = named.first(where: \.action.isEmpty) { return command.run(rest, plain) }
      guard let command = named.first(where: { $0.action == rest.first }) else {
        let message = CommandHelp.unknownAction(rest.first, of: name, among: named)
        return CommandResult(.usage, errors: "error: \(message)\n" + plain.usage(of: named))
      }
      return command.run(Array(rest.dropFirst()), plain)
    } catch {
      return CommandResult(.usage, errors: "error: \(error.message)\n")
    }
  }

  private func run(_ arguments: [String], _ help: CommandHelp) -> CommandResult {
    do {
      return try run(Arguments(arguments, syntax: hiddenSyntax + " " + syntax))
    } catch let mistake as Arguments.Mistake {
      return CommandResult(
        .usage, errors: "error: \(mistake.message)\n" + help.usage(of: [self]))
    } catch {
      return CommandResult(.usage, errors: CommandResult.text(of: error))
    }
  }
}
