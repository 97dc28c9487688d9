import Testing

@testable import GraphQLLanguage

@Suite("Suggestions", .timeLimit(.minutes(1))) struct SuggestionTests {
  @Test("suggestions are sorted by distance, and in natural order at equal distances")
  func order() {
    #expect(suggestions(for: "nam", among: ["id", "names", "name"]) == ["name", "names"])
    #expect(
      suggestions(for: "item", among: ["item10", "item9", "item"]) == ["item", "item9", "item10"])
    #expect(suggestions(for: "a", among: ["az", "ax", "ay"]) == ["ax", "ay", "az"])
  }

  @Test("a swap of neighbouring letters is one edit, and so is a difference in case")
  func swaps() {
    #expect(suggestions(for: "agr", among: ["arg"]) == ["arg"])
    #expect(suggestions(for: "VERYLONGSTRING", among: ["VeryLongString"]) == ["VeryLongString"])
    #expect(suggestions(for: "ab", among: ["ca"]) == [])
  }

  @Test("a question names at most five suggestions")
  func sentence() {
    #expect(didYouMean([]) == nil)
    #expect(didYouMean(["A"]) == "Did you mean \"A\"?")
    #expect(
      didYouMean(["A", "B"], subject: "the field") == "Did you mean the field \"A\" or \"B\"?")
    #expect(
      didYouMean(["A", "B", "C", "D", "E", "F"])
        == "Did you mean \"A\", \"B\", \"C\", \"D\", or \"E\"?")
  }

  @Test("very long names are only tested for equality, and very long digit runs have an order")
  func extremes() {
    let long = String(repeating: "a", count: 100_000)
    #expect(suggestions(for: long, among: [long + "b", long]) == [long])
    #expect(naturallyPrecedes(String(repeating: "9", count: 400), "a"))
  }

  @Test(
    "a name is suggested if its distance is at most two fifths of the input's length, plus one",
    arguments: [
      ("abcde", "abc", true), ("abcde", "ab", true), ("abcde", "a", false),
      ("abcde", "abcdexyz", true), ("abcde", "abcdewxyz", false), ("abcd", "abxy", true),
      ("abcd", "axyz", false), ("", "a", true), ("", "ab", false), ("abcdef", "bacdfe", true),
      ("abc", "cab", true), ("abcdefghij", "fghij", true), ("abcdefghij", "ghij", false),
      ("ABCD", "abxy", true),
    ])
  func threshold(input: String, name: String, isLikely: Bool) {
    #expect(suggestions(for: input, among: [name]) == (isLikely ? [name] : []))
  }

  @Test("insertions, deletions, substitutions and swaps count as one edit each")
  func distances() {
    #expect(
      suggestions(
        for: "friends",
        among: ["fiendish", "freinds", "friend", "firends", "Friends", "friends", "finds"])
        == ["friends", "Friends", "firends", "freinds", "friend", "finds", "fiendish"])
    // No letter is edited twice, so "ca" is not one swap and one insertion away from "abc".
    #expect(suggestions(for: "abcx", among: ["cax", "acbx"]) == ["acbx"])
  }

  @Test(
    "natural order compares names by character and runs of digits by value",
    arguments: [
      ("", "", 0), ("", "a", -1), ("a", "", 1), ("a", "a", 0), ("A", "a", -1), ("a", "b", -1),
      ("a", "a1", -1), ("a1", "a2", -1), ("a2", "a10", -1), ("a10", "a9", 1), ("a2b", "a2", 1),
      ("a2b9", "a2b10", -1), ("a01", "a1", -1), ("a1", "a01", 1), ("a00", "a0", 1),
      ("a0", "a00", -1), ("a9", "aa", -1),
      ("1", "a", -1), ("9x", "10", -1),
    ])
  func natural(left: String, right: String, order: Int) {
    #expect(naturalOrder(Array(left.utf8), Array(right.utf8)).signum() == order)
    #expect(naturallyPrecedes(left, right) == (order < 0))
  }
}
