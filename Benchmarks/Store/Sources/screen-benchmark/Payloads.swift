import Foundation
import RelayStore

/// The payloads of one size, read from the files that `screen.py` writes.
struct Payloads {
  let selected, sorted, shuffled, pretty, changed: [UInt8]
  /// The first ten items.
  let ten: [UInt8]
  let likes: [Like]
  let replies: [Reply]

  /// A like, with the server's response.
  struct Like: Decodable {
    let article: String
    let likeCount: Int
    let response: String
    /// The deliveries to cards of the article.
    let deliveries: Int
  }

  /// A new reply, with the server's response.
  struct Reply: Decodable {
    let article: String
    let text: String
    let response: String
    /// The deliveries to lists of the article's replies.
    let deliveries: Int
  }

  init(_ folder: String, count: Int) throws {
    func bytes(_ name: String) throws -> [UInt8] {
      try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name).json")))
    }
    selected = try bytes("selected-\(count)")
    sorted = try bytes("sorted-\(count)")
    shuffled = try bytes("shuffled-\(count)")
    pretty = try bytes("pretty-\(count)")
    changed = try bytes("changed-\(count)")
    ten = try bytes("selected-10")
    likes = try JSONDecoder().decode([Like].self, from: Data(try bytes("likes-\(count)")))
    replies = try JSONDecoder().decode([Reply].self, from: Data(try bytes("replies-\(count)")))
  }
}

/// A transport whose response is set before each request.
///
/// `@unchecked Sendable`: the suite, on the main actor, sets ``body`` only while no request is in
/// flight, and awaits each request.
final class NextResponse: Transport, @unchecked Sendable {
  var body: [UInt8] = []

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    GraphQLResponse(body: body)
  }
}
