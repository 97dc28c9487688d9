import GraphQLLanguage

/// A check of the configuration's `customScalarTypes`.
enum CustomScalarChecks {
  /// Returns a warning for each name that is not a scalar of the schema. It is not an error,
  /// because the configurations of several schemas may share their scalars.
  ///
  /// - Parameter configuration: The file to locate warnings in; `nil` if there is none.
  static func diagnostics(
    for names: some Collection<String>, schema: Schema, in configuration: ConfigurationSource?
  ) -> [Diagnostic] {
    let unknown = names.filter { schema.type(named: $0)?.kind != .scalar }.sorted()
    if unknown.isEmpty { return [] }
    var report = ConfigurationReport(
      of: "customScalarTypes", in: configuration, rule: "custom-scalars", severity: .warning)
    let scalars = schema.typeNames { $0.kind == .scalar }
    for name in unknown {
      report.add(
        "\"\(name)\" in \"customScalarTypes\" is not a scalar of the schema.", at: name,
        among: scalars)
    }
    return report.diagnostics
  }
}
