/// The optimal string alignment distance from one name to others: a Damerau-Levenshtein distance
/// that edits no letter twice.
///
/// Names that differ only in case have distance 1.
struct LexicalDistance {
  private let input: [UInt8]
  private let lowercased: [UInt8]

  /// The maximum length, in bytes, of candidates whose distance is computed. Bounds the cost.
  private static let lengthLimit = 512

  init(_ input: String) {
    self.input = Array(input.utf8)
    lowercased = self.input.map(Self.lowercase)
  }

  /// The length of the name in bytes.
  var count: Int { input.count }

  /// Returns the distance to another name, or `nil` if it exceeds `limit`.
  func distance(to candidate: String, limit: Int) -> Int? {
    // Lowercasing ASCII preserves the length, so names that differ only in case pass this check.
    guard abs(candidate.utf8.count - lowercased.count) <= limit else { return nil }
    let exact = Array(candidate.utf8)
    if exact == input { return 0 }
    let other = exact.map(Self.lowercase)
    if other == lowercased { return limit >= 1 ? 1 : nil }
    if other.count > Self.lengthLimit { return nil }
    let found = alignment(with: other, limit: limit)
    return found <= limit ? found : nil
  }

  private func alignment(with other: [UInt8], limit: Int) -> Int {
    var beforeLast = [Int](repeating: 0, count: other.count + 1)
    var last = Array(0...other.count)
    var row = last
    for line in 1..<lowercased.count + 1 {
      row[0] = line
      var least = line
      for column in 1..<other.count + 1 {
        let cost = lowercased[line - 1] == other[column - 1] ? 0 : 1
        var distance = min(last[column] + 1, row[column - 1] + 1, last[column - 1] + cost)
        if line > 1, column > 1, lowercased[line - 1] == other[column - 2],
          lowercased[line - 2] == other[column - 1]
        {
          distance = min(distance, beforeLast[column - 2] + 1)
        }
        row[column] = distance
        least = min(least, distance)
      }
      if least > limit { return limit + 1 }
      (beforeLast, last, row) = (last, row, beforeLast)
    }
    return last[other.count]
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}
