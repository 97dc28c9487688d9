/// Formatting of document numbers as in JavaScript, because storage keys contain them in that form.
package enum JavaScriptNumber {
  /// Returns the canonical form of an integer literal, with all its digits.
  package static func integer(_ literal: String) -> String { literal == "-0" ? "0" : literal }

  /// Returns the canonical form of a literal with a fraction or an exponent: `1.50e1` is `15`.
  ///
  /// A number beyond the range of `Double` is returned unchanged.
  package static func float(_ literal: String) -> String {
    guard let value = Double(literal), value.isFinite else { return literal }
    if value == 0 { return "0" }
    // Swift, like JavaScript, prints the shortest digits that round-trip; only the notation
    // differs.
    var (digits, exponent) = shortest(value.magnitude.description)
    while digits.count > 1, digits.last == "0" { digits.removeLast() }
    return (value < 0 ? "-" : "") + layout(digits, exponent: exponent)
  }

  /// Returns the digits of a description such as `1.5e-07`, and the number of digits before the
  /// decimal point. That number is negative if zeros follow the point.
  private static func shortest(_ text: String) -> (digits: [Character], exponent: Int) {
    let parts = text.split(separator: "e", maxSplits: 1)
    let mantissa = parts[0].split(separator: ".", maxSplits: 1)
    var exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    exponent += mantissa[0].count
    var digits = Array(mantissa[0]) + (mantissa.count > 1 ? Array(mantissa[1]) : [])
    while digits.count > 1, digits[0] == "0" {
      digits.removeFirst()
      exponent -= 1
    }
    return (digits, exponent)
  }

  private static func layout(_ digits: [Character], exponent: Int) -> String {
    let text = String(digits)
    if exponent > 21 || exponent < -5 {
      let fraction = digits.count > 1 ? "." + String(digits.dropFirst()) : ""
      let power = exponent - 1
      return String(digits[0]) + fraction + "e" + (power < 0 ? "-" : "+") + String(abs(power))
    }
    if exponent <= 0 { return "0." + String(repeating: "0", count: -exponent) + text }
    if exponent >= digits.count {
      return text + String(repeating: "0", count: exponent - digits.count)
    }
    return String(digits.prefix(exponent)) + "." + String(digits.dropFirst(exponent))
  }
}
