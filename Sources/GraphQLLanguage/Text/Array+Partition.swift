extension Array {
  /// Returns the length of the prefix whose elements satisfy a condition. No element after the
  /// prefix may satisfy it.
  ///
  /// - Complexity: O(log *n*) in the number of elements.
  package func prefixCount(where condition: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
