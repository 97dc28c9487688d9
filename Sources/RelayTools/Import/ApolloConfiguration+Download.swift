import RelayCompiler

extension ApolloConfiguration {
  /// Adds a note about the command that downloads the schema. Header values may be secrets and are
  /// omitted.
  mutating func read(download: LocatedJSON) throws(ConfigurationError) {
    try download.checkStrings("outputPath")
    let names = try headerNames(download["headers"])
    for (name, method) in try download.member("downloadMethod")?.members() ?? [] {
      guard name == "introspection" else {
        note(
          .manual, of: method,
          "Schemas are not downloaded from the registry: download the schema with Apollo's `rover graph fetch`, and save it as schema.graphql."
        )
        continue
      }
      let url = try method.member("endpointURL")?.string() ?? "URL"
      let headers = names.map { " --header \"\($0): …\"" }.joined()
      let command = "relay-compiler schema download\(headers) --output schema.graphql \(url)"
      note(.mapped, of: method, "\(MigrationNote.code(command)), in the output folder.")
      if let verb = method["httpMethod"], verb["GET"] != nil {
        note(.manual, of: verb, "The schema is requested by POST only.")
      }
    }
    if let timeout = download["downloadTimeout"] {
      _ = try timeout.number()
      note(.mapped, of: timeout, "`relay-compiler schema download` has its own time limit.")
    }
    try noteUnknown(
      in: download, known: ["downloadMethod", "headers", "downloadTimeout", "outputPath"])
  }

  /// Returns the names of the headers: an object's keys, or the `key` of a list's objects.
  private func headerNames(_ headers: LocatedJSON?) throws(ConfigurationError) -> [String] {
    guard let headers else { return [] }
    if case .object(let members) = headers.value { return members.map(\.name) }
    var names: [String] = []
    for element in try headers.elements() {
      guard let key = try element.member("key") else { throw element.error("has no \"key\".") }
      names.append(try key.string())
    }
    return names
  }
}
