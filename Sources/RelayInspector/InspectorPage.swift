import Foundation
import RelayRecording
import RelayStore

/// The page for a timeline: a template with its style, its script and the data.
struct InspectorPage {
  private let timeline: StoreTimeline
  private let title: String
  private let isServed: Bool

  /// The number of events in one block of data. The page reads one block at a time to remain
  /// responsive.
  static let eventsPerBlock = 1_000

  /// - Parameter isServed: Whether the page can load the timeline again.
  init(_ timeline: StoreTimeline, title: String?, isServed: Bool) {
    self.timeline = timeline
    self.title = title ?? timeline.start.ISO8601Format()
    self.isServed = isServed
  }

  /// Returns the page, in UTF-8.
  func data() throws -> Data {
    let style = String(decoding: PackageResources.page_css, as: UTF8.self)
    let parts = [
      "policy": Self.policy(isServed: isServed), "title": Self.escaped(title),
      "served": isServed ? "true" : "false", "style": style, "script": Self.script,
    ]
    var page = Data()
    // The template is split only once, so inserted strings are never parsed as placeholders.
    for (number, piece) in String(decoding: PackageResources.page_html, as: UTF8.self)
      .components(separatedBy: "{{").enumerated()
    {
      guard number > 0, let end = piece.range(of: "}}") else {
        page += Data(piece.utf8)
        continue
      }
      let name = String(piece[..<end.lowerBound])
      page += name == "data" ? try blocks() : Data((parts[name] ?? "").utf8)
      page += Data(piece[end.upperBound...].utf8)
    }
    return page
  }

  private static let script = [
    PackageResources.model_js, PackageResources.list_js, PackageResources.tree_js,
    PackageResources.graph_js, PackageResources.why_js, PackageResources.range_js,
    PackageResources.views_js, PackageResources.compare_js, PackageResources.main_js,
  ].map { String(decoding: $0, as: UTF8.self) }.joined()

  /// Returns the content security policy, which only allows the page's own style and script.
  static func policy(isServed: Bool) -> String {
    let style = hash(of: String(decoding: PackageResources.page_css, as: UTF8.self))
    return
      "default-src 'none'; script-src '\(hash(of: script))'; style-src '\(style)'; "
      + "connect-src \(isServed ? "'self'" : "'none'"); base-uri 'none'; form-action 'none'"
  }

  private static func hash(of text: String) -> String {
    "sha256-" + Data(SHA256.digest(Array(text.utf8))).base64EncodedString()
  }

  // MARK: Data

  /// Returns the timeline as blocks of inert data: one without the events, then the events in
  /// chunks.
  private func blocks() throws -> Data {
    var rest = timeline
    rest.events = []
    var blocks = Data("<script type=\"application/json\" id=\"timeline\">".utf8)
    blocks += try Self.json(rest)
    blocks += Data("</script>\n".utf8)
    for first in stride(from: 0, to: timeline.events.count, by: Self.eventsPerBlock) {
      let last = min(first + Self.eventsPerBlock, timeline.events.count)
      blocks += Data("<script type=\"application/json\" class=\"events\">".utf8)
      blocks += try Self.json(Array(timeline.events[first..<last]))
      blocks += Data("</script>\n".utf8)
    }
    return blocks
  }

  /// Returns JSON that is safe inside a script element.
  static func json(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .secondsSince1970
    return escaped(try encoder.encode(value))
  }

  /// Escapes the characters that end a script element or a line of JavaScript: `<`, U+2028 and
  /// U+2029. In JSON they occur only in strings.
  private static func escaped(_ json: Data) -> Data {
    var escaped = Data(capacity: json.count + json.count / 64)
    var position = json.startIndex
    while position < json.endIndex {
      let byte = json[position]
      if byte == UInt8(ascii: "<") {
        escaped += Data("\\u003c".utf8)
      } else if byte == 0xE2, json.distance(from: position, to: json.endIndex) > 2,
        json[position + 1] == 0x80, json[position + 2] & 0xFE == 0xA8
      {
        escaped += Data((json[position + 2] == 0xA8 ? "\\u2028" : "\\u2029").utf8)
        position += 2
      } else {
        escaped.append(byte)
      }
      position += 1
    }
    return escaped
  }

  /// Escapes a string for HTML.
  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
  }
}
