/// Returns whether `left` precedes `right` in natural order: runs of digits compare by value and
/// everything else by character, so `item9` precedes `item10`.
public func naturallyPrecedes(_ left: String, _ right: String) -> Bool {
  naturalOrder(Array(left.utf8), Array(right.utf8)) < 0
}

/// Compares two names in natural order.
///
/// - Returns: A negative number, 0 or a positive number if `left` precedes, equals or follows
///   `right`.
func naturalOrder(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var leftIndex = 0
  var rightIndex = 0
  while leftIndex < left.count, rightIndex < right.count {
    let bytes = (left[leftIndex], right[rightIndex])
    if isDigit(bytes.0), isDigit(bytes.1) {
      let numbers = (number(left, from: &leftIndex), number(right, from: &rightIndex))
      if numbers.0 != numbers.1 { return numbers.0 < numbers.1 ? -1 : 1 }
    } else {
      if bytes.0 != bytes.1 { return bytes.0 < bytes.1 ? -1 : 1 }
      leftIndex += 1
      rightIndex += 1
    }
  }
  return left.count - right.count
}

private func isDigit(_ byte: UInt8) -> Bool {
  byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
}

/// Returns the value of the digits at `index` and moves `index` past them. A leading 0 is a
/// separate number.
private func number(_ bytes: [UInt8], from index: inout Int) -> Double {
  var value = 0.0
  repeat {
    value = value * 10 + Double(bytes[index] - UInt8(ascii: "0"))
    index += 1
  } while index < bytes.count && isDigit(bytes[index]) && value > 0
  return value
}
