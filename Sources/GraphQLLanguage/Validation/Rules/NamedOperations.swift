extension Rules {
  /// Requires every operation to have a name; applies only in Relay mode.
  static let namedOperations: Rule = { context, visitors in
    visitors.operation.append { operation in
      guard operation.name == nil else { return }
      context.report(
        "named-operations", "Operations must have a name.", at: operation.span,
        help: "Name it after the file and the kind of operation, such as \"FeedQuery\".")
    }
  }
}
