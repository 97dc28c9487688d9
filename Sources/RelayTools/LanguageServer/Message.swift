import GraphQLLanguage

/// A message from the client: an editor or an assistant.
enum Message: Equatable {
  case request(id: JSON, method: String, params: JSON?)
  case notification(method: String, params: JSON?)
  /// A response to one of the server's requests.
  case response
  /// An unreadable message, with the id for its response.
  case invalid(id: JSON, ResponseError)

  /// Reads a JSON-RPC message.
  init(_ frame: MessageReader.Frame) {
    switch frame {
    case .malformed(let reason): self = .invalid(id: nil, ResponseError(.parseError, reason))
    case .body(let bytes):
      do throws(JSONReader.Failure) {
        self.init(try JSONReader.read(bytes, replacesLoneSurrogates: true))
      } catch {
        self = .invalid(
          id: nil,
          ResponseError(.parseError, "\(error.message) The error is at byte \(error.offset)."))
      }
    }
  }

  /// Reads a JSON-RPC message from its value.
  init(_ json: JSON) {
    guard case .object(let members) = json else {
      let reason =
        if case .list = json { "Batches are not supported." } else { "A message is an object." }
      self = .invalid(id: nil, ResponseError(.invalidRequest, reason))
      return
    }
    let id = json["id"]
    let isID = id.map(Self.isID) ?? true
    let responseID = isID ? id ?? nil : nil
    guard json["jsonrpc"] == "2.0", isID else {
      let reason = isID ? "\"jsonrpc\" is not \"2.0\"." : "\"id\" is not a string or number."
      self = .invalid(id: responseID, ResponseError(.invalidRequest, reason))
      return
    }
    guard let method = json["method"] else {
      let isResponse = members.contains { $0.name == "result" || $0.name == "error" }
      self =
        isResponse
        ? .response
        : .invalid(id: responseID, ResponseError(.invalidRequest, "\"method\" is missing."))
      return
    }
    guard let method = method.text, Self.isParams(json["params"]) else {
      let reason = "\"method\" is not a string, or \"params\" is not an object."
      self = .invalid(id: responseID, ResponseError(.invalidRequest, reason))
      return
    }
    self =
      if let id { .request(id: id, method: method, params: json["params"]) } else {
        .notification(method: method, params: json["params"])
      }
  }

  private static func isID(_ value: JSON) -> Bool {
    switch value {
    case .int, .float, .string: true
    case .null, .boolean, .list, .object: false
    }
  }

  private static func isParams(_ value: JSON?) -> Bool {
    switch value {
    case nil, .null, .list, .object: true
    case .boolean, .int, .float, .string: false
    }
  }
}

extension JSON {
  /// Returns the response to a request.
  static func response(to id: JSON, _ result: Result<JSON, ResponseError>) -> JSON {
    switch result {
    case .success(let value): ["jsonrpc": "2.0", "id": id, "result": value]
    case .failure(let error): ["jsonrpc": "2.0", "id": id, "error": error.json]
    }
  }

  /// Returns a notification to the editor.
  static func notification(_ method: String, _ params: JSON) -> JSON {
    ["jsonrpc": "2.0", "method": .string(method), "params": params]
  }
}
