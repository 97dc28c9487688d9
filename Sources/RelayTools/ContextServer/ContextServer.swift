import GraphQLLanguage
import RelayCompiler

/// The compiler as a Model Context Protocol server: its tools let an assistant ask about a project.
///
/// Messages are handled one after the other, so a cancellation never finds a running request.
struct ContextServer {
  /// The protocol versions whose sessions start with `initialize`, newest first.
  static let versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
  /// The protocol versions where each request names its version.
  static let statelessVersions = ["2026-07-28"]
  /// The only version with message batches.
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

  /// Handles a line.
  ///
  /// - Returns: The message to send; `nil` if the line needs no response.
  mutating func respond(_ line: LineReader.Line) -> JSON? {
    guard case .text(let bytes) = line else {
      return respond(.invalid(id: nil, ResponseError(.parseError, "The line is too long.")))
    }
    let json: JSON
    do throws(JSONReader.Failure) {
      json = try JSONReader.read(bytes, replacesLoneSurrogates: true)
    } catch {
      let text = "\(error.message) The error is at byte \(error.offset) of the line."
      return respond(.invalid(id: nil, ResponseError(.parseError, text)))
    }
    if case .list(let items) = json, !items.isEmpty, version == Self.batchVersion {
      let responses = items.compactMap { respond(Message($0)) }
      return responses.isEmpty ? nil : .list(responses)
    }
    return respond(Message(json))
  }

  private mutating func respond(_ message: Message) -> JSON? {
    switch message {
    case .notification, .response: return nil
    case .invalid(let id, let error): return .response(to: id, .failure(error))
    case .request(let id, let method, let params):
      do throws(ResponseError) {
        return .response(to: id, .success(try statelessResponse(method, params)))
      } catch {
        return .response(to: id, .failure(error))
      }
    }
  }

  /// Handles a request; a stateless request names its protocol version.
  private mutating func statelessResponse(
    _ method: String, _ params: JSON?
  ) throws(ResponseError) -> JSON {
    guard let asked = params["_meta"]["io.modelcontextprotocol/protocolVersion"]?.text,
      method != "initialize"
    else { return try respond(method, params) }
    guard Self.statelessVersions.contains(asked) else {
      let known = (Self.statelessVersions + Self.versions).map(JSON.string)
      throw ResponseError(
        .unsupportedProtocolVersion, "The version \"\(asked)\" is unknown.",
        data: ["supported": .list(known), "requested": .string(asked)])
    }
    var result: JSON
    if method == "server/discover" {
      result = [
        "supportedVersions": .list(Self.statelessVersions.map(JSON.string)),
        "capabilities": ["tools": .object([])], "instructions": .string(Self.instructions),
      ]
    } else {
      result = try respond(method, params)
    }
    if method == "server/discover" || method == "tools/list" {
      // The tools are fixed for the lifetime of the program, and each client starts its own.
      result = result.adding("ttlMs", 3_600_000).adding("cacheScope", "public")
    }
    return result.adding("resultType", "complete")
      .adding("_meta", ["io.modelcontextprotocol/serverInfo": Self.info])
  }

  private mutating func respond(_ method: String, _ params: JSON?) throws(ResponseError) -> JSON {
    switch method {
    case "initialize": return initialize(params)
    case "ping": return .object([])
    case "tools/list": return ["tools": .list(ContextTool.all.map(\.json))]
    case "tools/call": return try call(params)
    default: throw ResponseError(.methodNotFound, "The method \"\(method)\" is unknown.")
    }
  }

  private static let info: JSON = [
    "name": "relay-compiler", "title": "RelayStore compiler",
    "version": .string(CompilerVersion.release),
  ]

  private mutating func initialize(_ params: JSON?) -> JSON {
    let asked = params["protocolVersion"]?.text
    version = asked.flatMap { Self.versions.contains($0) ? $0 : nil } ?? Self.versions[0]
    return [
      "protocolVersion": .string(version),
      "capabilities": ["tools": .object([])],
      "serverInfo": Self.info,
      "instructions": .string(Self.instructions),
    ]
  }

  private mutating func call(_ params: JSON?) throws(ResponseError) -> JSON {
    guard let name = params["name"]?.text else {
      throw ResponseError(.invalidParams, "\"name\" is missing.")
    }
    guard let tool = ContextTool.all.first(where: { $0.name == name }) else {
      throw ResponseError(.invalidParams, "Unknown tool \"\(name)\".")
    }
    do throws(ToolFailure) {
      let arguments = try ToolArguments(params["arguments"], of: tool.parameters)
      return try tool.run(&project, arguments).json
    } catch {
      // The assistant reads the message and can correct its arguments.
      return ToolResult(text: error.message, isError: true).json
    }
  }
}
