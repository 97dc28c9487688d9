extension RangeReplaceableCollection {
  /// Removes all elements and returns them.
  package mutating func drain() -> Self {
    defer { self = Self() }
    return self
  }
}
