extension Schema {
  /// Returns whether `type` is a subtype of `abstract`: an object or interface that implements it,
  /// a member of the union, or the same type.
  ///
  /// - Complexity: O(*n*) in the interfaces and unions of `type`.
  public func isSubtype(_ type: TypeID, of abstract: TypeID) -> Bool {
    if type == abstract { return true }
    let type = self[type]
    return type.interfaces.contains(abstract) || type.unions.contains(abstract)
  }

  /// Returns whether a value of `type` is valid where `expected` is required.
  ///
  /// The named type can be a subtype of the expected one. At every list level, `type` can be
  /// non-null where `expected` is nullable, but not vice versa.
  public func isSubtype(_ type: ResolvedType, of expected: ResolvedType) -> Bool {
    var type = type
    var expected = expected
    while true {
      if type == expected { return true }
      if expected.isNonNull, !type.isNonNull { return false }
      switch (type.item, expected.item) {
      case (let item?, let expectedItem?): (type, expected) = (item, expectedItem)
      case (nil, nil): return isSubtype(type.named, of: expected.named)
      default: return false
      }
    }
  }

  /// Returns whether two types share a possible type, so that a fragment on one can be spread on
  /// the other.
  ///
  /// - Complexity: O(*n*) in the smaller number of possible types, times the unions and interfaces
  ///   of each.
  public func doTypesOverlap(_ left: NamedType, _ right: NamedType) -> Bool {
    if left === right { return true }
    if !left.isAbstract { return right.isAbstract && isSubtype(left.id, of: right.id) }
    if !right.isAbstract { return isSubtype(right.id, of: left.id) }
    let leftTypes = possibleTypes(of: left)
    let rightTypes = possibleTypes(of: right)
    return leftTypes.count <= rightTypes.count
      ? leftTypes.contains { isSubtype($0, of: right.id) }
      : rightTypes.contains { isSubtype($0, of: left.id) }
  }
}
