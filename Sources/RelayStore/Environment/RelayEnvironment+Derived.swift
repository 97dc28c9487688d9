extension RelayEnvironment {
  /// Sets the function of a derived field: one that a schema extension declares with `@derived(fragment:)`.
  ///
  ///     // extend type User { fullName: String @derived(fragment: "FullName_user") }
  ///     environment.derive("User.fullName") { (user: FullName_user) in "\(user.first) \(user.last)" }
  ///
  /// Set it before anything reads the field: what was read without is not read again. The function is called
  /// while the store is held, whenever what it was given for a record last has changed: it must not call the environment, should be
  /// quick, and depend on nothing but the fragment. What it throws is an error of the field.
  ///
  /// - Parameters:
  ///   - field: `Type.field`, with the object's type or the one that declares the field.
  ///   - function: A function over the fragment that the field is derived from. What it returns has the type of the
  ///     field; anything else is an error of the field.
  public func derive<Fragment: GraphQLFragment, Value: RowValue>(
    _ field: String, _ function: @escaping @Sendable (Fragment) throws -> Value
  ) {
    store.derive(field, from: Fragment.__plan) { row in
      do {
        return .success(RowSlot(of: try function(Fragment(__row: Row(row)))))
      } catch {
        return .failure(
          .init(
            "The function of derived field \"\(field)\" failed: \(error.text)",
            underlying: error))
      }
    }
  }
}
