import Foundation
import Testing

/// The plots contain the rows that they were drawn from, as their descriptions.
@Suite("Plots", .timeLimit(.minutes(1)))
struct PlotTests {
  @Test("each plot shows rows of Performance.md as they are, and is one of the pictures")
  func rows() throws {
    let page = Set(try Documents.lines(of: "Docs/Reference/Performance.md").prose.map(String.init))
    let pictures = try Documents.text("Docs/Pictures.md")
    let folder = Documents.root.appendingPathComponent("Docs/Plots").path
    let plots = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(!plots.isEmpty)
    for plot in plots {
      #expect(pictures.contains("](Plots/\(plot))"), "Docs/Pictures.md does not show \(plot).")
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
