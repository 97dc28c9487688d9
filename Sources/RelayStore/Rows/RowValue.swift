/// A type that a property of a generated struct can have.
public protocol RowValue: Sendable {
  /// Creates the value from a slot; `nil` if the slot holds something else.
  init?(__slot: RowSlot)
}

/// A value that a slot holds itself, unlike a struct over a row.
///
/// The separate protocol distinguishes the two. A requirement of ``RowValue`` would cost every
/// generated struct a function.
public protocol SlotValue: RowValue {
  /// The slot that holds this value.
  var __slot: RowSlot { get }
}

extension String: SlotValue {
  /// Creates the string from a slot with a string, or with a custom scalar that has no Swift type:
  /// a number with the digits received, a Boolean, or other JSON.
  public init?(__slot: RowSlot) {
    switch __slot.value {
    case .string(let string): self = string
    case .int(let int): self = String(int)
    case .number(let number): self = number.digits
    case .bool(let bool): self = bool ? "true" : "false"
    case .object(let object): self = JSONValue.object(object).description
    case .list, .array: self = JSONValue(__slot).description
    default: return nil
    }
  }

  public var __slot: RowSlot { RowSlot(.string(self)) }
}

extension Int: SlotValue {
  public init?(__slot: RowSlot) {
    switch __slot.value {
    case .int(let int): self = int
    case .number(let number):
      guard let int = number.int else { return nil }
      self = int
    default: return nil
    }
  }

  public var __slot: RowSlot { RowSlot(.int(self)) }
}

extension Double: SlotValue {
  public init?(__slot: RowSlot) {
    switch __slot.value {
    case .int(let int): self = Double(int)
    // Only a handmade value can hold a number that JSON cannot express.
    case .number(let number): self = number.double ?? .nan
    default: return nil
    }
  }

  public var __slot: RowSlot { RowSlot(scalar: FieldValue(number: JSONNumber(self))) }
}

extension Bool: SlotValue {
  public init?(__slot: RowSlot) {
    guard case .bool(let bool) = __slot.value else { return nil }
    self = bool
  }

  public var __slot: RowSlot { RowSlot(.bool(self)) }
}

extension Optional: RowValue, SlotValue where Wrapped: RowValue {
  public init?(__slot: RowSlot) {
    if __slot.isNil {
      self = .none
    } else if let value = Wrapped(__slot: __slot) {
      self = .some(value)
    } else {
      return nil
    }
  }

  public var __slot: RowSlot { self.map { RowSlot(of: $0) } ?? RowSlot(.null) }
}

/// The value of a field with `@catch(to: RESULT)`.
extension Result: RowValue, SlotValue where Success: RowValue, Failure == FieldErrors {
  public init?(__slot: RowSlot) {
    if case .failure(let errors) = __slot.value {
      self = .failure(errors)
    } else if let value = Success(__slot: __slot) {
      self = .success(value)
    } else {
      return nil
    }
  }

  public var __slot: RowSlot {
    switch self {
    case .success(let value): RowSlot(of: value)
    case .failure(let errors): RowSlot(.failure(errors))
    }
  }
}

extension JSONValue: SlotValue {
  public init?(__slot: RowSlot) { self.init(__slot) }

  public var __slot: RowSlot { RowSlot(scalar: FieldValue(self)) }

  /// Creates the JSON of a slot's value. Spreads, type conditions and failures are null.
  package init(_ slot: RowSlot) {
    switch slot.value {
    case .absent, .null, .selfReference, .spread, .failure: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .number(JSONNumber(value))
    case .number(let value): self = .number(value)
    case .string(let value): self = .string(value)
    case .object(let value): self = .object(value)
    case .array(let values): self = .array(values)
    case .scalar(let value): self = value.json
    case .list(let list): self = .array(list.slots.map { JSONValue($0) })
    case .row(let row): self = .object(row.json)
    }
  }
}

extension RowBox {
  /// The row as a response's object: response keys and values, without absent slots.
  package var json: JSONObject {
    var object = JSONObject()
    for (slot, value) in zip(plan.slots, slots) {
      guard case .field(let field) = slot.content else { continue }
      if case .absent = value.value { continue }
      // A type condition may select the same linked field with other selections.
      let json = JSONValue(value)
      object[field.responseKey] = object[field.responseKey]?.merging(json) ?? json
    }
    return object
  }
}

extension JSONValue {
  /// Returns this value with the fields that `other` adds.
  fileprivate func merging(_ other: JSONValue) -> JSONValue {
    switch (self, other) {
    case (.object(var object), .object(let added)):
      for member in added.members {
        object[member.key] = object[member.key]?.merging(member.value) ?? member.value
      }
      return .object(object)
    case (.array(let elements), .array(let added)) where elements.count == added.count:
      return .array(zip(elements, added).map { $0.merging($1) })
    // The initializer has two parameters for the field, and one was omitted.
    case (_, .null): return self
    default: return other
    }
  }
}
