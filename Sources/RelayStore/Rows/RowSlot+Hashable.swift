extension RowSlot: Hashable {
  public static func == (left: RowSlot, right: RowSlot) -> Bool {
    var comparison = RowComparison()
    return comparison.areEqual(left, right)
  }

  public func hash(into hasher: inout Hasher) {
    var hashing = RowHashing()
    hashing.combine(self, into: &hasher)
  }
}

extension SpreadReference: Hashable {
  @usableFromInline package static func == (left: SpreadReference, right: SpreadReference) -> Bool {
    switch (left, right) {
    case (.record(let a, let x), .record(let b, let y)): a == b && x == y
    case (.value(let a), .value(let b)): Row(a) == Row(b)
    case (.nothing, .nothing): true
    default: false
    }
  }

  @usableFromInline package func hash(into hasher: inout Hasher) {
    switch self {
    case .record(let id, let scope):
      hasher.combine(id)
      hasher.combine(scope.arguments)
    case .value(let row): hasher.combine(Row(row))
    case .nothing: hasher.combine(0)
    }
  }
}
