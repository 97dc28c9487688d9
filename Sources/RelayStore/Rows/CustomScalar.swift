/// The Swift type of a custom scalar.
///
/// Name the type in `customScalarTypes` of the configuration, or in the file
/// `CustomScalars/<Name>.swift`, and generated properties use it. The store retains the server's
/// JSON and converts each value once, when it is read. The standard types and `Date`, `UUID`, `URL`
/// and `Decimal` conform. Use `JSONValue` for scalars of any JSON type.
///
///     struct Money: CustomScalar {
///       var cents: Int
///       init(json: JSONValue) throws {
///         guard let cents = json.int else { throw NotMoney() }
///         self.cents = cents
///       }
///       var json: JSONValue { .number(JSONNumber(cents)) }
///     }
public protocol CustomScalar: SlotValue, GraphQLInput, JSONConvertible {}

extension CustomScalar {
  public init?(__slot: RowSlot) {
    guard case .scalar(let scalar) = __slot.value, let value = scalar as? Self else { return nil }
    self = value
  }

  public var __slot: RowSlot { RowSlot(.scalar(self)) }

  public var __json: JSONValue? { json }
}

extension RowSlot {
  /// Creates the slot of a value converted from JSON.
  package init(converted value: any JSONConvertible) {
    self = (value as? any SlotValue)?.__slot ?? RowSlot(.scalar(value))
  }
}

extension String: CustomScalar {}
extension Int: CustomScalar {}
extension Double: CustomScalar {}
extension Float: CustomScalar {}
extension Bool: CustomScalar {}
extension JSONValue: CustomScalar {}

extension Upload: CustomScalar {
  public var __uploads: [VariableUpload] { [VariableUpload(path: [], file: self)] }
}

extension DataID {
  /// Creates the id of the object whose field `id` has this value: the string that the value
  /// encodes to, or the digits of a number.
  ///
  ///     try store[DataID(device.id)]?.setValue("Ann's phone", for: "name")
  ///
  /// - Returns: `nil` if the value encodes to an empty string, to 0, or to neither a string nor a
  ///   number.
  public init?<Scalar: CustomScalar>(_ value: Scalar) {
    guard let id = FieldValue(value.json).usableID else { return nil }
    self = id
  }
}
