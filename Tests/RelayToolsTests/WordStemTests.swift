import Testing

@testable import RelayTools

@Suite("Words of a search", .timeLimit(.minutes(1)))
struct WordStemTests {
  @Test(
    "the forms of a word have one stem",
    arguments: [
      ["repository", "repositories"], ["star", "stars", "starred", "starring"],
      ["create", "created", "creating", "creates"], ["review", "reviews", "reviewed", "reviewer"],
      ["close", "closed", "closes", "closing"], ["branch", "branches"],
      ["merge", "merged", "merging"],
      ["organize", "organization", "organizations"], ["relation", "relational"],
      ["label", "labels", "labeled", "labelled"], ["delete", "deletes", "deletion"],
      ["activate", "activation"], ["rely", "relies", "relied"],
    ])
  func stems(words: [String]) {
    let stems = Set(words.map(WordStem.stem))
    #expect(stems.count == 1, "\(stems.sorted())")
  }

  @Test("short words, and words that only look alike, keep apart")
  func different() {
    #expect(WordStem.stem(of: "is") == "is" && WordStem.stem(of: "status") == "status")
    #expect(WordStem.stem(of: "sha256") == "sha256" && WordStem.stem(of: "größe") == "größe")
    #expect(WordStem.stem(of: "user") != WordStem.stem(of: "use"))
    #expect(WordStem.stem(of: "string") == "string" && WordStem.stem(of: "need") == "need")
    let long = String(repeating: "y", count: 200_000) + "e"
    #expect(WordStem.stem(of: long) == long)
    #expect(WordStem.stem(of: "") == "" && WordStem.stem(of: "sss") == "sss")
  }

  @Test("names and prose are split into words")
  func words() {
    #expect(SearchWords.words(of: "stargazerCount") == ["stargazer", "count"])
    #expect(SearchWords.words(of: "PRsByURL") == ["prs", "by", "url"])
    #expect(SearchWords.words(of: "SAMLProvider_id") == ["saml", "provider", "id"])
    #expect(
      SearchWords.words(of: "sha256 of Größe, isn't it?") == [
        "sha256", "of", "größe", "isn", "t", "it",
      ])
    #expect(SearchWords.words(of: " ") == [])
    #expect(
      SearchWords.words(of: "“größe”—naïve… ⭐️ ЗвёздыРепо") == ["größe", "naïve", "звёзды", "репо"])
  }
}
