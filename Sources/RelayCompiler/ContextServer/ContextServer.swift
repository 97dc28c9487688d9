import GraphQLLanguage

/// The compiler as a server of the Model Context Protocol: its tools answer the questions of an
/// assistant about a project.
///
/// Messages are handled one after the other, so a cancellation has nothing to cancel.
struct ContextServer {
  /// The versions of the protocol, newest first.
  static let versions = ["2025-06-18", "2025-03-26", "2024-11-05"]
  /// The only version with batches of messages.
  private static let batchVersion = "2025-03-26"

  private static let instructions = """
    Tools for the GraphQL documents of a Swift project that uses RelayStore. Look fields up with search_schema before \
    writing a document, call validate after each change, and explain to see the Swift types that Swift code can use. \
    All tools read the files again for each call. Paths are relative to the folder of relay.config.json; lines and \
    columns count from 1.
    """

  private var project: ContextProject
  private var version = Self.versions[0]

  init(_ project: ContextProject) { self.project = project }

  /// Answers a line.
  ///
  /// - Returns: The message to send; `nil` if the line needs no answer.
  mutating func answer(_ line: LineReader.Line) -> JSON? {
    guard case .text(let bytes) = line else {
      return answer(.invalid(id: nil, ResponseError(.parseError, "The line is too long.")))
    }
    let json: JSON
    do throws(JSONReader.Failure) {
      json = try JSONReader.read(bytes, replacesLoneSurrogates: true)
    } catch {
      let text = "\(error.message) The error is at byte \(error.offset) of the line."
      return answer(.invalid(id: nil, ResponseError(.parseError, text)))
    }
    if case .list(let items) = json, !items.isEmpty, version == Self.batchVersion {
      let answers = items.compactMap { answer(Message($0)) }
      return answers.isEmpty ? nil : .list(answers)
    }
    return answer(Message(json))
  }

  private mutating func answer(_ message: Message) -> JSON? {
    switch message {
    case .notification, .response: return nil
    case .invalid(let id, let error): return .response(to: id, .failure(error))
    case .request(let id, let method, let params):
      do throws(ResponseError) {
        return .response(to: id, .success(try answer(method, params)))
      } catch {
        return .response(to: id, .failure(error))
      }
    }
  }

  private mutating func answer(_ method: String, _ params: JSON?) throws(ResponseError) -> JSON {
    switch method {
    case "initialize": return initialize(params)
    case "ping": return .object([])
    case "tools/list": return ["tools": .list(ContextTool.all.map(\.json))]
    case "tools/call": return try call(params)
    default: throw ResponseError(.methodNotFound, "The method \"\(method)\" is unknown.")
    }
  }

  private mutating func initialize(_ params: JSON?) -> JSON {
    let asked = params["protocolVersion"]?.text
    version = asked.flatMap { Self.versions.contains($0) ? $0 : nil } ?? Self.versions[0]
    return [
      "protocolVersion": .string(version),
      "capabilities": ["tools": .object([])],
      "serverInfo": [
        "name": "relay-compiler", "title": "RelayStore compiler",
        "version": .string(CompilerVersion.release),
      ],
      "instructions": .string(Self.instructions),
    ]
  }

  private mutating func call(_ params: JSON?) throws(ResponseError) -> JSON {
    guard let name = params["name"]?.text else {
      throw ResponseError(.invalidParams, "\"name\" is missing.")
    }
    guard let tool = ContextTool.all.first(where: { $0.name == name }) else {
      throw ResponseError(.invalidParams, "There is no tool \"\(name)\".")
    }
    let arguments = try ToolArguments(params["arguments"], of: tool.parameters)
    do throws(ToolFailure) {
      return try tool.run(&project, arguments).json
    } catch {
      return ["content": [["type": "text", "text": .string(error.message)]], "isError": true]
    }
  }
}
