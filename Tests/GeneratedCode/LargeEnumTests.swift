import RelayStore
import Testing

/// The generated enum of a type with more values than a `switch` over strings should have.
@Suite("Large enums", .timeLimit(.minutes(1)))
struct LargeEnumTests {
  @Test("every value is found by its raw value, deprecated ones too")
  func everyValue() {
    #expect(Currency.allCases.count == 39)
    for currency in Currency.allCases {
      #expect(Currency(rawValue: currency.rawValue) == currency)
      guard case .unrecognized = Currency(rawValue: currency.rawValue) else { continue }
      Issue.record("\(currency) is unrecognized")
    }
  }

  @Test("an unknown value is kept, and values are compared by their bytes")
  func unknownValues() {
    #expect(Currency(rawValue: "eur") == .unrecognized("eur"))
    let decomposed = Currency(rawValue: "e\u{301}")
    #expect(decomposed != .unrecognized("\u{e9}"))
    #expect(decomposed.rawValue.unicodeScalars.count == 2)
  }
}
