/// A JSON number with its original digits, never rounded.
///
/// Two numbers are equal when their digits are equal. `1.0` and `1` differ, as in the store.
public struct JSONNumber: Hashable, Sendable {
  /// The number as JSON, for example `9007199254740993` or `1.50`.
  public let digits: String

  /// Creates a number from digits.
  ///
  /// - Precondition: The digits are a valid JSON number.
  package init(digits: String) { self.digits = digits }

  /// Creates a number from its JSON; `nil` for any other string, such as `+1` or `0x1F`.
  public init?(_ text: String) {
    guard let number = (try? JSONValue(parsing: Array(text.utf8)))?.number else { return nil }
    self = number
  }

  /// Creates an integer.
  public init(_ value: Int) { digits = String(value) }

  /// Creates a floating-point number with the digits that JavaScript prints.
  ///
  /// Infinities and NaN, which JSON cannot express, become `null` when written, as in JavaScript.
  public init(_ value: Double) { digits = Self.javaScriptText(value) }

  /// The value as an integer, if it is one in the range of `Int`. `1.0` and `1e2` are integers too.
  public var int: Int? { integer(as: Int.self) }

  /// The value as an integer of a type, like ``int``.
  package func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
    if let value = Integer(digits) { return value }
    let parts = digits.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
    let halves = parts.first?.split(separator: ".", maxSplits: 1) ?? []
    guard let whole = halves.first else { return nil }
    let fraction = halves.count > 1 ? halves[1] : ""
    let significant = (whole + fraction).trimmingZeros
    // Zero is zero whatever its exponent. For any other value, an exponent beyond `Int` is out of
    // range.
    if significant.digits.allSatisfy({ $0 == "-" }) { return 0 }
    guard let power = parts.count > 1 ? Int(parts[1]) : 0 else { return nil }
    let (zeros, overflow) = power.addingReportingOverflow(significant.zeros - fraction.count)
    // No 64-bit integer has more than 20 digits.
    guard !overflow, (0..<20).contains(zeros) else { return nil }
    return Integer(significant.digits + String(repeating: "0", count: zeros))
  }

  /// The nearest floating-point value; `nil` if it would be infinite.
  public var double: Double? {
    guard let value = Double(digits), value.isFinite else { return nil }
    return value
  }

  /// Returns the number as ECMAScript's `Number::toString` prints it. Storage keys use this form
  /// too.
  ///
  /// Source: ECMAScript 2024, section 6.1.6.1.20.
  static func javaScriptText(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    if value == 0 { return "0" }
    let (digits, exponent) = shortestDigits(abs(value))
    let sign = value < 0 ? "-" : ""
    if exponent > 21 || exponent < -5 {
      let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
      let power = exponent - 1
      return sign + digits.prefix(1) + fraction + "e" + (power < 0 ? "-" : "+") + "\(abs(power))"
    }
    if exponent <= 0 { return sign + "0." + String(repeating: "0", count: -exponent) + digits }
    let zeros = String(repeating: "0", count: max(0, exponent - digits.count))
    let fraction = digits.dropFirst(exponent)
    return sign + digits.prefix(exponent) + zeros + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// Returns the shortest digits that identify a positive value, and the exponent of `0.digits ×
  /// 10^exponent`.
  private static func shortestDigits(_ value: Double) -> (digits: String, exponent: Int) {
    // Swift prints the shortest digits too, as "123.45" or "1.2345e+20".
    let parts = value.description.split(separator: "e", maxSplits: 1)
    let power = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let halves = parts[0].split(separator: ".", maxSplits: 1)
    let all = String(halves[0]) + (halves.count > 1 ? String(halves[1]) : "")
    let leading = all.prefix { $0 == "0" }.count
    var digits = String(all.dropFirst(leading))
    while digits.last == "0" { digits.removeLast() }
    return (digits, halves[0].count - leading + power)
  }
}

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  public init(integerLiteral value: Int) { self.init(value) }
  public init(floatLiteral value: Double) { self.init(value) }
}

extension JSONNumber: CustomStringConvertible {
  public var description: String { digits }
}

extension Substring {
  /// The digits without trailing zeros, and the number of zeros removed.
  fileprivate var trimmingZeros: (digits: Substring, zeros: Int) {
    let digits = prefix(upTo: lastIndex { $0 != "0" }.map(index(after:)) ?? startIndex)
    return (digits, count - digits.count)
  }
}
