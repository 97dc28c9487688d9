import RelayStore
import Testing

/// The strings that `print` and `dump` make of what the runtime delivers.
@Suite("Printing", .timeLimit(.minutes(1)))
struct PrintingTests {
  private func dumped(_ value: some Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  @Test("an operation prints its variables as Swift values, without those that are left out")
  func operations() {
    #expect(
      "\(PersonChangedSubscription(id: "1"))"
        == #"PersonChangedSubscription(__variables: ["id": "1"])"#)
    let query = ThingsQuery(filter: .null, choice: .none, kind: .some(.guineaPig), at: .none)
    let variables = "\(query.__variables)"
    #expect(variables.contains(#""filter": null, "kind": some("#))
    #expect(variables.contains("PetKind.guineaPig)"))
    #expect(!variables.contains("choice") && !variables.contains("\"at\""))
    #expect(dumped(query).contains("guineaPig") && !dumped(query).contains("storage"))
  }

  @Test("a field error prints its path and message, and dumps its public properties")
  func fieldErrors() {
    let error = FieldError(kind: .server, message: "Forbidden", path: ["user", "name"])
    #expect("\(error)" == "user.name: Forbidden")
    #expect("\(FieldError(kind: .server, message: "Forbidden", path: []))" == "Forbidden")
    let text = dumped(error)
    #expect(text.contains("owner") && text.contains("underlying") && !text.contains("box"))
  }
}
