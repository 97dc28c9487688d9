import RelayStore
import RelayStoreTesting

extension Resolvers {
  /// The resolvers of the fields of `Subscription`.
  static func subscriptions(_ database: Database) -> [String: SubscriptionResolver] {
    [
      "Subscription.taskChanged": { call in
        let id: String? = try call.argument("id")
        let key = try id.map { try GlobalID.key(of: $0, type: "Task") }
        return await database.changes(ofTask: key).stream()
      }
    ]
  }
}
