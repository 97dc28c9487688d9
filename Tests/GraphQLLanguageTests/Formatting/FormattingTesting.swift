import GraphQLFormatting
import Testing

/// Returns the formatted document without its trailing line end. Also checks that it has the tokens
/// and comments of the original, and that formatting it again leaves it unchanged.
func formatted(_ text: String, width: Int = 80) throws -> String {
  let bytes = ContiguousArray(text.utf8)
  let result = try #require(Formatting.format(bytes, width: width))
  #expect(Formatting.isEquivalent(bytes, to: result))
  #expect(Formatting.format(result, width: width) == result)
  #expect(result.last == 0x0A)
  return String(decoding: result.dropLast(), as: UTF8.self)
}
