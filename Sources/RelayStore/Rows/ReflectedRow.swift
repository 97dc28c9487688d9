/// A nested object in a mirror, printed as its type with its fields.
struct ReflectedRow: CustomReflectable, CustomDebugStringConvertible {
  let row: RowBox
  /// The response key of the field that holds the object; its generated struct is named after the
  /// key. `nil` for an element of a list shown alone.
  let responseKey: String?
  let extent: Extent

  /// How much of a value is shown.
  struct Extent {
    /// Whether nested lists are shown as a count, because the value has too many rows.
    let isShort: Bool
    var isInList = false

    /// The largest number of rows shown in full.
    static let rowLimit = 100_000

    init(rowCount: Int) { isShort = rowCount > Self.rowLimit }

    /// The extent for a list's elements.
    var inList: Extent {
      var extent = self
      extent.isInList = true
      return extent
    }
  }

  var debugDescription: String {
    let name = row.plan.typeName
    return row.description(of: responseKey.map { "\(name)_\($0)" } ?? name, extent)
  }
  var customMirror: Mirror { row.mirror(of: self, extent) }
}

/// A list shown as the number of its elements.
private struct ElementCount: CustomReflectable, CustomDebugStringConvertible {
  let count: Int

  var debugDescription: String { "[\(count.counted("element"))]" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension RowBox {
  /// Returns a mirror with the fields of the row as children.
  func mirror(of subject: Any) -> Mirror {
    mirror(of: subject, ReflectedRow.Extent(rowCount: rowCount))
  }

  /// Returns a name followed by the fields in parentheses.
  func description(of name: String) -> String {
    description(of: name, ReflectedRow.Extent(rowCount: rowCount))
  }

  fileprivate func mirror(of subject: Any, _ extent: ReflectedRow.Extent) -> Mirror {
    let children = zip(plan.slots, slots).compactMap { slot, value -> Mirror.Child? in
      guard case .field(let field) = slot.content else { return nil }
      if case .absent = value.value { return nil }
      return (field.responseKey, value.reflected(as: field, extent))
    }
    return Mirror(subject, children: children, displayStyle: .struct)
  }

  fileprivate func description(of name: String, _ extent: ReflectedRow.Extent) -> String {
    let fields = mirror(of: self, extent).children.map { child in
      (child.label.map { $0 + ": " } ?? "") + String(reflecting: child.value)
    }
    return "\(name)(\(fields.joined(separator: ", ")))"
  }
}

extension ListBuffer {
  /// The elements to show if the list has too many rows to show in full; else `nil`.
  var shortened: [Any]? {
    var count = RowCount()
    let extent = ReflectedRow.Extent(rowCount: count.count(self))
    return extent.isShort ? slots.map { $0.reflected(as: nil, extent.inList) } : nil
  }
}

extension RowSlot {
  /// Returns the value to show in a mirror.
  ///
  /// - Parameter field: The field; `nil` for an element of a list that is shown alone.
  fileprivate func reflected(as field: PlanField?, _ extent: ReflectedRow.Extent) -> Any {
    switch value {
    case .absent, .null, .selfReference, .spread: Optional<Any>.none as Any
    case .bool(let value): value
    case .int(let value): field?.swiftValue(of: self) ?? value
    case .number(let value): field?.swiftValue(of: self) ?? value
    case .string(let value): field?.swiftValue(of: self) ?? value
    case .object(let value): JSONValue.object(value)
    case .array(let values): JSONValue.array(values)
    case .scalar(let value): value
    case .row(let row): ReflectedRow(row: row, responseKey: field?.responseKey, extent: extent)
    case .list(let list) where extent.isShort && extent.isInList: ElementCount(count: list.count)
    case .list(let list): list.slots.map { $0.reflected(as: field, extent.inList) }
    case .failure(let errors): errors
    }
  }
}

extension PlanField {
  /// Returns the value that the generated property makes of a slot, or `nil` if the slot's own
  /// value is the same. They differ for an enum whose Swift type is known, and for a `Float`, which
  /// the server may send as an integer.
  fileprivate func swiftValue(of slot: RowSlot) -> (any SlotValue)? {
    switch type.namedType {
    case .enumeration: (enumeration as? any SlotValue.Type)?.init(__slot: slot)
    case .float: Double(__slot: slot)
    case .id, .string, .int, .boolean, .custom, .object: nil
    }
  }
}
