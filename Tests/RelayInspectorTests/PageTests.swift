import Foundation
import RelayInspector
import RelayRecording
import RelayStore
import Testing

@Suite("The inspector's page", .timeLimit(.minutes(1))) struct PageTests {
  private func page(_ timeline: StoreTimeline, title: String? = nil) throws -> String {
    String(decoding: try Inspector.page(of: timeline, title: title), as: UTF8.self)
  }

  /// Returns the contents of the `script` elements that start with the given tag.
  private func blocks(_ page: String, _ beginning: String) -> [String] {
    page.components(separatedBy: beginning).dropFirst().map {
      $0.components(separatedBy: "</script>")[0]
    }
  }

  @Test("the data on the page is the timeline")
  func roundTrip() throws {
    let recorded = RecordedStore()
    for number in 0..<4_100 { try recorded.fill(("1", "\(number)")) }
    let timeline = recorded.environment.timeline(redactingValues: false)
    let page = try page(timeline)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    let contents = blocks(page, #"<script type="application/json" id="timeline">"#)
    let events = blocks(page, #"<script type="application/json" class="events">"#)
    #expect(contents.count == 1 && events.count == 5)
    var decoded = try decoder.decode(StoreTimeline.self, from: Data(contents[0].utf8))
    for block in events {
      decoded.events += try decoder.decode([StoreTimeline.Event].self, from: Data(block.utf8))
    }
    #expect(decoded.events == timeline.events && decoded.records == timeline.records)
  }

  @Test("text of the store cannot end a script element, or a line of JavaScript")
  func escaping() throws {
    let recorded = RecordedStore()
    let text = "</script><script>alert(1)</script><!--\u{2028}\u{2029}{{script}}"
    try recorded.fill(("</script>", text))
    let timeline = recorded.environment.timeline(redactingValues: false)
    let page = try page(timeline, title: "<i>\"&{{data}}")
    // The page's own scripts: the contents, one block of events, and the script.
    #expect(page.components(separatedBy: "</script>").count == 4)
    #expect(!page.contains("alert(1)<") && !page.contains("\u{2028}") && !page.contains("\u{2029}"))
    #expect(!page.contains("<i>") && page.contains("&lt;i&gt;&quot;&amp;{{data}}"))
    let contents = blocks(page, #"<script type="application/json" id="timeline">"#)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    let decoded = try decoder.decode(StoreTimeline.self, from: Data(contents[0].utf8))
    #expect(decoded.records.first { $0.id == "</script>" } != nil)
    #expect(decoded.records.flatMap(\.fields).contains { $0.value?.contains("{{script}}") == true })
  }

  @Test("the page loads nothing, and runs its own script only")
  func selfContained() throws {
    let page = try page(RecordedStore().environment.timeline())
    for forbidden in ["http://", "https://", "src=", "@import", "url(", "innerHTML", "eval("] {
      // The name of SVG's elements is not an address to load.
      let text = page.replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
      #expect(!text.contains(forbidden), "The page contains \(forbidden).")
    }
    #expect(page.contains("default-src 'none'; script-src 'sha256-"))
    #expect(page.contains("connect-src 'none'"))
  }

  @Test("equal timelines have equal pages, and a page is written to a file")
  func deterministic() throws {
    let recorded = RecordedStore()
    try recorded.fill(("1", "a"), ("2", "b"))
    let timeline = recorded.environment.timeline()
    let page = try Inspector.page(of: timeline)
    #expect(try Inspector.page(of: timeline) == page)
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("inspector-\(UInt64.random(in: 0 ... .max)).html")
    defer { try? FileManager.default.removeItem(at: url) }
    try Inspector.write(timeline, to: url)
    #expect(try Data(contentsOf: url) == page)
  }
}
