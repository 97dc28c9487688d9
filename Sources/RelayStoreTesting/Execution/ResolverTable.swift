import GraphQLLanguage

/// The resolvers by object type and field.
struct ResolverTable<Resolver> {
  private(set) var byType: [TypeID: [Symbol: Resolver]] = [:]

  /// Looks up the fields that the resolvers are named after.
  ///
  /// - Throws: ``SchemaServerFailure`` that lists the fields missing from the schema.
  init(schema: Schema, resolvers: [String: Resolver]) throws {
    var problems: [String] = []
    for (name, resolver) in resolvers.sorted(by: { $0.key < $1.key }) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let type = schema.type(named: parts[0]),
        let field = schema.symbols.find(parts[1]), type.field(named: field) != nil
      else {
        problems.append(
          "There is a resolver for \"\(name)\", but the schema has no such field. Name it "
            + "\"Type.field\"."
        )
        continue
      }
      byType[type.id, default: [:]][field] = resolver
    }
    guard problems.isEmpty else { throw SchemaServerFailure(problems: problems) }
    inherit(schema)
  }

  /// Adds the resolvers of interfaces to object types without a resolver for the field.
  private mutating func inherit(_ schema: Schema) {
    for type in schema.types where type.kind == .object {
      for interface in type.interfaces {
        byType[type.id, default: [:]].merge(byType[interface] ?? [:]) { own, _ in own }
      }
    }
  }
}

extension ResolverTable where Resolver == SubscriptionResolver {
  /// Looks up the subscription fields that the resolvers are named after.
  ///
  /// - Throws: ``SchemaServerFailure`` that lists the names that are not subscription fields.
  init(schema: Schema, subscriptions: [String: SubscriptionResolver]) throws {
    try self.init(schema: schema, resolvers: subscriptions)
    let root = schema.subscriptionType.map { schema.symbols[$0.symbol] + "." }
    let others = subscriptions.keys.filter { name in root.map { !name.hasPrefix($0) } ?? true }
    guard others.isEmpty else {
      throw SchemaServerFailure(
        problems: others.sorted().map {
          "There is a subscription resolver for \"\($0)\", but it is not a field of subscriptions."
        })
    }
  }
}
