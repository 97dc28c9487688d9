import RelayStore
import RelayStoreTesting

/// The values of the object whose fields fail deliberately.
enum Faults {
  static let object: JSONValue = ["message": "still here"]

  static func items(_ call: FieldCall) throws -> JSONValue {
    let count: Int = try call.argument("count")
    return .array((0..<max(0, count)).map { ["index": JSONValue($0)] })
  }
}

extension Resolvers {
  /// The resolvers of the fields of `Faults` and `FaultItem`.
  static let faults: [String: FieldResolver] = [
    "Faults.nullable": { _ in throw GraphQLError(message: "The nullable field is broken.") },
    "Faults.required": { _ in throw GraphQLError(message: "The required field is broken.") },
    "Faults.items": { call in try Faults.items(call) },
    "Faults.strictItems": { call in try Faults.items(call) },
    "Faults.child": { _ in Faults.object },
    "Faults.requiredChild": { _ in Faults.object },
    "FaultItem.value": { call in
      let index = call.parent["index"]?.int ?? 0
      guard index % 3 != 1 else { throw GraphQLError(message: "Item \(index) is broken.") }
      return .string("item \(index)")
    },
  ]
}
