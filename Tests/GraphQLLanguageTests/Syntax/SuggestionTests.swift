import Testing

@testable import GraphQLLanguage

@Suite("Suggestions", .timeLimit(.minutes(10))) struct SuggestionTests {
  @Test("the nearest names come first, equally near ones in natural order")
  func order() {
    #expect(suggestions(for: "nam", among: ["id", "names", "name"]) == ["name", "names"])
    #expect(
      suggestions(for: "item", among: ["item10", "item9", "item"]) == ["item", "item9", "item10"])
    #expect(suggestions(for: "a", among: ["az", "ax", "ay"]) == ["ax", "ay", "az"])
  }

  @Test("swapped neighbours and letters of the other case count as one change")
  func swaps() {
    #expect(suggestions(for: "agr", among: ["arg"]) == ["arg"])
    #expect(suggestions(for: "VERYLONGSTRING", among: ["VeryLongString"]) == ["VeryLongString"])
    #expect(suggestions(for: "ab", among: ["ca"]) == [])
  }

  @Test("at most five are named, joined as a sentence")
  func sentence() {
    #expect(didYouMean([]) == nil)
    #expect(didYouMean(["A"]) == "Did you mean \"A\"?")
    #expect(
      didYouMean(["A", "B"], subject: "the field") == "Did you mean the field \"A\" or \"B\"?")
    #expect(
      didYouMean(["A", "B", "C", "D", "E", "F"])
        == "Did you mean \"A\", \"B\", \"C\", \"D\", or \"E\"?")
  }

  @Test("very long names cost nothing and numbers of any length are compared")
  func extremes() {
    let long = String(repeating: "a", count: 100_000)
    #expect(suggestions(for: long, among: [long + "b", long]) == [long])
    #expect(naturallyPrecedes(String(repeating: "9", count: 400), "a"))
  }
}
