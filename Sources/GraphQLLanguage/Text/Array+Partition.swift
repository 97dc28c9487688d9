extension Array {
  /// Returns the number of elements that satisfy a condition, which all elements do up to one, and
  /// none does from there on.
  ///
  /// - Complexity: O(log *n*) in the number of elements.
  func prefixCount(where condition: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
