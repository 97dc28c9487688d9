import GraphQLLanguage

/// The check of `customScalarTypes` of the configuration.
enum CustomScalarChecks {
  /// Returns a warning for each name that is no scalar of the schema. It is no error, because
  /// configurations of several schemas may share their scalars.
  ///
  /// - Parameter configuration: The file in which warnings are located; `nil` if there is none.
  static func diagnostics(
    for names: some Collection<String>, schema: Schema, in configuration: ConfigurationText?
  ) -> [Diagnostic] {
    let unknown = names.filter { schema.type(named: $0)?.kind != .scalar }.sorted()
    if unknown.isEmpty { return [] }
    var report = ConfigurationReport(
      of: "customScalarTypes", in: configuration, rule: "custom-scalars", severity: .warning)
    let scalars = schema.typeNames { $0.kind == .scalar }
    for name in unknown {
      report.add(
        "\"customScalarTypes\" names \"\(name)\", which is no scalar of the schema.", at: name,
        among: scalars)
    }
    return report.diagnostics
  }
}
