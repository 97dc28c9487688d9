import RelayStore

/// The formats of incremental delivery.
enum Format: String, CaseIterable {
  /// Parts have paths and labels.
  case list2022 = "2022"
  /// Parts are announced, and refer to the announcement.
  case announced2023 = "2023"
}

/// The payloads of responses with `count` objects of ten fields.
struct Payloads {
  let count: Int

  /// The same data in one response.
  var whole: [UInt8] {
    bytes("{\"data\":{\"records\":[\(list { "{\"id\":\"r:\($0)\",\(fields($0))}" })]}}")
  }

  /// The ids of the objects.
  var ids: [UInt8] { bytes("{\"data\":{\"records\":[\(list { "{\"id\":\"r:\($0)\"}" })]}}") }

  /// The ids of the objects, followed by their ten fields as parts.
  ///
  /// - Parameter isTogether: Whether one payload contains all parts.
  func deferred(_ format: Format, isTogether: Bool) -> [[UInt8]] {
    let data = "\"data\":{\"records\":[\(list { "{\"id\":\"r:\($0)\"}" })]}"
    let label = DeferredQuery.label
    var announcements = ""
    if format == .announced2023 {
      let parts = list { "{\"id\":\"\($0)\",\"path\":[\"records\",\($0)],\"label\":\"\(label)\"}" }
      announcements = ",\"pending\":[\(parts)]"
    }
    return [bytes("{\(data)\(announcements),\"hasNext\":true}")]
      + payloads(isTogether: isTogether) { range in
        list(range) { n in
          let fields = "\"data\":{\(fields(n))}"
          return switch format {
          case .list2022: "{\(fields),\"path\":[\"records\",\(n)],\"label\":\"\(label)\"}"
          case .announced2023: "{\"id\":\"\(n)\",\(fields)}"
          }
        }
      } completing: { range in
        format == .list2022 ? "" : "[\(list(range) { "{\"id\":\"\($0)\"}" })]"
      }
  }

  /// An empty list, followed by its objects.
  ///
  /// - Parameter isTogether: Whether one payload contains all objects, in one part.
  func streamed(_ format: Format, isTogether: Bool) -> [[UInt8]] {
    let label = StreamedQuery.label
    let announcement =
      format == .list2022
      ? "" : ",\"pending\":[{\"id\":\"0\",\"path\":[\"records\"],\"label\":\"\(label)\"}]"
    return [bytes("{\"data\":{\"records\":[]}\(announcement),\"hasNext\":true}")]
      + payloads(isTogether: isTogether) { range in
        let items = "\"items\":[\(list(range) { "{\"id\":\"r:\($0)\",\(fields($0))}" })]"
        return switch format {
        case .list2022:
          "{\(items),\"path\":[\"records\",\(range.lowerBound)],\"label\":\"\(label)\"}"
        case .announced2023: "{\"id\":\"0\",\(items)}"
        }
      } completing: { range in
        format == .list2022 || range.upperBound < count ? "" : "[{\"id\":\"0\"}]"
      }
  }

  private func payloads(
    isTogether: Bool, _ parts: (Range<Int>) -> String, completing: (Range<Int>) -> String
  ) -> [[UInt8]] {
    stride(from: 0, to: count, by: isTogether ? count : 1).map { start in
      let range = start..<(isTogether ? count : start + 1)
      let completed = completing(range)
      return bytes(
        """
        {"incremental":[\(parts(range))]\(completed.isEmpty ? "" : ",\"completed\":")\(completed),\
        "hasNext":\(range.upperBound < count)}
        """)
    }
  }

  private func list(_ range: Range<Int>? = nil, _ element: (Int) -> String) -> String {
    (range ?? 0..<count).map(element).joined(separator: ",")
  }

  private func fields(_ n: Int) -> String {
    """
    "a":\(n),"b":\(n * 7 % 1000),"c":333,"d":\(n % 3 == 0),"e":"some text","f":"another text, number \(n)",\
    "g":"x","h":\(n).5,"i":\(n * 31),"j":"2026-01-01T00:00:00Z"
    """
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}

/// A transport that passes on the same payloads for every request.
struct PayloadTransport: Transport {
  let payloads: [GraphQLResponse]

  init(_ payloads: [[UInt8]]) { self.payloads = payloads.map { GraphQLResponse(body: $0) } }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse { payloads[0] }

  func stream(_ request: GraphQLRequest, _ receive: @escaping TransportReceiver) async throws {
    for payload in payloads { try await receive(.response(payload)) }
  }
}
