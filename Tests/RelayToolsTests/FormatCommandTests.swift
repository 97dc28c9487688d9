import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler format", .timeLimit(.minutes(1)))
struct FormatCommandTests {
  /// Returns the output of `format` for a Swift source.
  private func formatted(_ swift: String) throws -> String? {
    let project = try TemporaryProject(["src/A.swift": swift])
    let result = project.run("format")
    #expect(result.exitCode == .success && result.errors == "", "\(result.errors)")
    let text = project.read("src/A.swift")
    let again = project.run("format")
    #expect(again.output.hasSuffix("1 file, 0 changed\n"), "\(text ?? "")")
    #expect(project.read("src/A.swift") == text)
    return text
  }

  @Test("a multi-line literal follows the indentation of its closing quotes")
  func indentation() throws {
    let text = try formatted(
      #"""
      import RelayStore  // graphql("{a}")
      let a = graphql("""
          query   A { me{name # why
      } }
          """)
      struct View {
      	static let b = graphql(
      		"""
      		fragment B on User{id,

      		name}
      		""", )
      }
      """#.replacing("\n} }", with: "\n    } }"))
    #expect(
      text == #"""
        import RelayStore  // graphql("{a}")
        let a = graphql("""
            query A {
              me {
                name # why
              }
            }
            """)
        struct View {
        	static let b = graphql(
        		"""
        		fragment B on User {
        		  id

        		  name
        		}
        		""", )
        }
        """#)
  }

  @Test("a one-line literal stays on its line, whatever its length, with the spaces of the format")
  func oneLine() throws {
    let text = try formatted(
      ##"""
      let a = graphql("query A{me{name}}")
      let b = graphql(#"{ search(text:"x \"y\"",first:1) { id } }"#)
      let c = graphql("{ search(text:\"\u{E9}\\n\") { id } }")
      let d = graphql("{ me{id}\n# comment\n}")
      let e = graphql("query A{me{name}}\nquery B{me{name}}")
      let f = graphql(##"{ me {id   @a(b:"#) ")} } "##)
      """##)
    #expect(
      text == ##"""
        let a = graphql("query A { me { name } }")
        let b = graphql(#"{ search(text: "x \"y\"", first: 1) { id } }"#)
        let c = graphql("{ search(text: \"é\\n\") { id } }")
        let d = graphql("{ me{id}\n# comment\n}")
        let e = graphql("query A{me{name}}\nquery B{me{name}}")
        let f = graphql(##"{ me { id @a(b: "#) ") } }"##)
        """##)
  }

  @Test("escapes are those that the literal needs, and the document means the same")
  func escapes() throws {
    let source = ##"""
      let a = graphql("""
        { a(b:"\\n \\"q\\" \u{1F600}",
        c:\"""
            it's \\\""" quoted \u{1}
          \""") # back\\slash \"\""" \0
        }
        """)
      let b = graphql(#"""
        { a(b:"\n \#u{1F600}", c: """
            x \#\# y \\ #
          """) # \#"""# end \
        }
        """#)
      """##
    let text = try formatted(source)
    #expect(
      text == ##"""
        let a = graphql("""
          {
            a(
              b: "\\n \\"q\\" 😀"
              c: \"""
              it's \\\""" quoted \u{1}
              \"""
            ) # back\\slash \"\""" \u{0}
          }
          """)
        let b = graphql(#"""
          {
            a(
              b: "\n 😀"
              c: """
              x \#\# y \\ #
              """
            ) # \#"""# end \
          }
          """#)
        """##)
  }

  @Test(
    "a file with CRLF and a byte order mark keeps both, and nothing outside of literals changes")
  func bytes() throws {
    let source =
      "\u{FEFF}let x = 1 \t\r\nlet a = graphql(\"\"\" \r\n\t{me\r\n\t {id}}\r\n\t\"\"\")\n\r\n"
    let project = try TemporaryProject(["src/A.swift": source])
    #expect(project.run("format").exitCode == .success)
    let bytes = try Data(contentsOf: project.folder.appendingPathComponent("src/A.swift"))
    let expected =
      "\u{FEFF}let x = 1 \t\r\nlet a = graphql(\"\"\" \r\n\t{\r\n\t  me {\r\n\t    id\r\n"
      + "\t  }\r\n\t}\r\n\t\"\"\")\n\r\n"
    #expect(bytes == Data(expected.utf8))
  }

  @Test("lists break at 80 columns of the Swift file")
  func width() throws {
    // The line has 80 columns.
    let line =
      "  me(argument: \"aaaaaaaaaaaaaaaaaaaaa\", other: \"bbbbbbbbbbbbbbbbbbbbbbbb\", c: 1)"
    #expect(line.count == 80)
    let fitting = "let a = graphql(\n\"\"\"\n{\n\(line)\n}\n\"\"\")"
    #expect(try formatted(fitting) == fitting)
    let indented = "let a = graphql(\n \"\"\"\n {\n \(line)\n }\n \"\"\")"
    #expect(try formatted(indented)?.contains("\n   me(\n     argument: \"aaa") == true)
  }

  @Test("a document with an error stays as it is and is reported, and all others are formatted")
  func errors() throws {
    let bad = #"let a = graphql("{ me { ")"# + "\n" + #"let b = graphql("{ \(name) }")"# + "\n"
    let project = try TemporaryProject([
      "src/A.swift": bad + #"let c = graphql("{me{id}}")"#, "src/B.graphql": "query B {",
      "src/C.gql": "{me{id}}",
    ])
    let result = project.run("format")
    #expect(result.exitCode == .errors)
    #expect(result.errors.contains("A.swift:1:25: error: Expected a name"))
    #expect(result.errors.contains("A.swift:2:20: error: A graphql tag must not contain an inter"))
    #expect(result.errors.contains("B.graphql:1:10: error: Expected a name"))
    #expect(project.read("src/A.swift") == bad + #"let c = graphql("{ me { id } }")"#)
    #expect(project.read("src/B.graphql") == "query B {")
    #expect(project.read("src/C.gql") == "{\n  me {\n    id\n  }\n}\n")
  }

  @Test(
    "a tag with anything after its literal stays as it is and is reported",
    arguments: [#"("{me{id}}", 3)"#, #"("{me{id}}" + "")"#, #"("{me{id}}""#])
  func argumentsOfTag(call: String) throws {
    let text = "let a = graphql\(call)\nlet b = 1\n"
    let project = try TemporaryProject(["src/A.swift": "graphql(\"{me{id}}\")\n" + text])
    let result = project.run("format")
    #expect(
      result.exitCode == .errors && result.errors.contains("takes exactly one string literal"))
    #expect(project.read("src/A.swift") == "graphql(\"{ me { id } }\")\n" + text)
  }

  @Test("an empty tag stays as it is and is reported", arguments: ["\"\"", "\"\"\"\n  \"\"\""])
  func emptyTag(literal: String) throws {
    let project = try TemporaryProject(["src/A.swift": "let a = graphql(\(literal))"])
    let result = project.run("format")
    #expect(result.exitCode == .errors && result.errors.contains("The document is empty."))
    #expect(project.read("src/A.swift") == "let a = graphql(\(literal))")
  }

  @Test("the configuration's sources are formatted, not its schema and not generated files")
  func files() throws {
    let generated = "// @generated by relay-compiler\nlet a = graphql(\"{me{id}}\")"
    let project = try TemporaryProject([
      "src/A.swift": "let a = graphql(\"{me{id}}\")", "src/schema.graphql": "type Query{a:Int}",
      "src/B.graphql.swift": generated, "src/__generated__/C.swift": generated,
      "relay.config.json": #"{"schema": "src/schema.graphql", "src": "src"}"#,
    ])
    let result = project.run("format")
    #expect(result.output.hasSuffix("src/A.swift\n1 file, 1 changed\n"))
    #expect(project.read("src/schema.graphql") == "type Query{a:Int}")
    #expect(project.read("src/B.graphql.swift") == generated)
    #expect(project.read("src/__generated__/C.swift") == generated)
    let schema = project.folder.appendingPathComponent("src/schema.graphql").path
    #expect(runRelayCompiler(["format", schema]).output == "\(schema)\n1 file, 1 changed\n")
    #expect(project.read("src/schema.graphql") == "type Query {\n  a: Int\n}\n")
  }

  @Test("with --check nothing is written, and the exit code is 1 if a file would change")
  func check() throws {
    let project = try TemporaryProject(["src/A.swift": "let a = graphql(\"{me{id}}\")"])
    let result = project.run("format", ["--check"])
    #expect(result.exitCode == .errors && result.output.hasSuffix("src/A.swift\n"))
    #expect(result.errors == "error: Files are not formatted; run relay-compiler format.\n")
    #expect(project.read("src/A.swift") == "let a = graphql(\"{me{id}}\")")
    _ = project.run("format")
    let again = project.run("format", ["--check"])
    #expect(again == CommandResult(.success))
  }

  @Test("a file keeps its permissions, a link stays a link, and an unchanged file is not written")
  func writing() throws {
    let project = try TemporaryProject([
      "src/A.graphql": "{me{id}}", "src/B.graphql": "{\n  me\n}\n", "other/C.graphql": "{me{id}}",
    ])
    let manager = FileManager.default
    func path(_ name: String) -> String { project.folder.appendingPathComponent(name).path }
    func number(_ key: FileAttributeKey, of name: String) throws -> Int? {
      (try manager.attributesOfItem(atPath: path(name))[key] as? NSNumber)?.intValue
    }
    try manager.setAttributes([.posixPermissions: 0o751], ofItemAtPath: path("src/A.graphql"))
    try manager.createSymbolicLink(
      atPath: path("src/C.graphql"), withDestinationPath: "../other/C.graphql")
    let inode = try number(.systemFileNumber, of: "src/B.graphql")
    let result = project.run("format")
    #expect(result.exitCode == .success && result.output.hasSuffix("3 files, 2 changed\n"))
    #expect(try number(.posixPermissions, of: "src/A.graphql") == 0o751)
    #expect(try number(.systemFileNumber, of: "src/B.graphql") == inode)
    let link = try manager.destinationOfSymbolicLink(atPath: path("src/C.graphql"))
    #expect(link == "../other/C.graphql")
    #expect(project.read("other/C.graphql") == "{\n  me {\n    id\n  }\n}\n")
    let names = try manager.contentsOfDirectory(atPath: path("src")).sorted()
    #expect(names == ["A.graphql", "B.graphql", "C.graphql"])
  }

  @Test("a file that changed after it was read is not replaced")
  func changed() throws {
    let project = try TemporaryProject(["A.graphql": "{ new }"])
    let path = project.folder.appendingPathComponent("A.graphql").path
    #expect(throws: FileError(changed: path)) {
      try replaceFile(path, ContiguousArray("{ old }".utf8), with: Array("{\n  old\n}\n".utf8))
    }
    #expect(project.read("A.graphql") == "{ new }")
    try replaceFile(path, ContiguousArray("{ new }".utf8), with: [0x41])
    #expect(project.read("A.graphql") == "A")
  }

  @Test(
    "wrong arguments are explained",
    arguments: [
      (["--chek"], "Unknown option \"--chek\"."), (["--config"], "\"--config\" takes a file."),
      (["a.json"], "\"a.json\" is neither a GraphQL file nor a Swift file."),
      (["--config", "x.json", "a.graphql"], "Name a configuration or files, not both."),
      (["/nowhere/a.graphql"], "Cannot read \"/nowhere/a.graphql\""),
    ])
  func mistakes(arguments: [String], message: String) {
    let result = runRelayCompiler(["format"] + arguments)
    #expect(result.exitCode == .usage && result.errors.hasPrefix("error: \(message)"))
  }

  @Test("the standard input is formatted to the standard output, and a syntax error has no output")
  func standardInput() throws {
    let text = ContiguousArray("query A{a\n}".utf8)
    #expect(Command.formatText(text, isChecking: false).output == "query A {\n  a\n}\n")
    let checked = Command.formatText(text, isChecking: true)
    #expect(checked.exitCode == .errors && checked.output == "" && checked.errors != "")
    let formatted = ContiguousArray("query A {\n  a\n}\n".utf8)
    #expect(Command.formatText(formatted, isChecking: true) == CommandResult(.success))
    let broken = Command.formatText(ContiguousArray("query A {".utf8), isChecking: false)
    #expect(broken.exitCode == .errors && broken.output == "")
    #expect(broken.errors.hasPrefix("<stdin>:1:10: error: "))
    #expect(
      Command.printDocument(text, named: "<stdin>", format: .text).output == "query A {\n  a\n}\n")
    #expect(runRelayCompiler(["format", "-", "a.graphql"]).exitCode == .usage)
  }
}
