import Foundation
import Testing

/// The plots contain the rows that they were drawn from, as their descriptions.
@Suite("Plots", .timeLimit(.minutes(1)))
struct PlotTests {
  @Test("each plot shows rows of Performance.md as they are, and a page shows it")
  func rows() throws {
    let page = Set(try Documents.lines(of: "Docs/Reference/Performance.md").prose.map(String.init))
    let shown = Set(
      try Documents.guides.flatMap { guide in
        try Documents.links(of: guide).map { Documents.target(of: $0[...], in: guide) }
      })
    let folder = Documents.root.appendingPathComponent("Docs/Plots").path
    let plots = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(!plots.isEmpty)
    for plot in plots {
      #expect(shown.contains("Docs/Plots/" + plot), "No page shows \(plot).")
      let text = try Documents.text("Docs/Plots/" + plot)
      let description = try #require(
        text.firstMatch(of: /<dc:description>([^<]*)<\/dc:description>/)?.1, "\(plot)")
      let rows = description.replacing("&amp;", with: "&").split(separator: "\n")
      #expect(rows.count > 1)
      for row in rows where !page.contains(String(row)) {
        Issue.record("\(plot) was drawn from another row: \(row). Run Benchmarks/plots.py.")
      }
    }
  }
}
