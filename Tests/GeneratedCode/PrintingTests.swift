import Foundation
import RelayStore
import Testing

private let printed = graphql(
  """
  query PrintedQuery {
    everything { float kind kinds kindRows error currency shape in { task ...Printed_everything } }
    device(id: "5B1F4C1A-0C4D-4A6B-9D35-6C0F1C6D7E8F") { id }
  }
  """)

private let printedFragment = graphql(
  "fragment Printed_everything on Everything { kind kinds @catch(to: RESULT) }")

private let change = graphql(
  "mutation ChangeMutation @raw_response_type { change { kind kinds in { task } } }")

/// The output of `print` and `dump` for values that the runtime delivers.
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

  /// The environment with a response to `PrintedQuery`.
  private func printed(_ everything: String) throws -> RelayEnvironment {
    try environment(
      PrintedQuery(),
      #"{"everything": \#(everything), "device": {"id": "5b1f4c1a-0c4d-4a6b-9d35-6c0f1c6d7e8f"}}"#)
  }

  @Test("a row prints enums, floats and custom scalars as the values of its properties")
  func leaves() throws {
    let environment = try printed(
      """
      {"float": 2, "kind": "GUINEA_PIG", "kinds": ["none", "NEWT"], "kindRows": [["DOG", null], []], "error": "LOUD",
        "currency": "HRK", "shape": "POINT", "in": {"task": "OPEN", "kind": "CAT", "kinds": ["UNICORN"]}}
      """)
    let data = try #require(environment.read(PrintedQuery()).data)
    let value = try #require(data.everything)
    let text = "\(value)"
    for field in [
      "float: 2.0", "kind: GeneratedCodeTests.PetKind.guineaPig",
      #"kinds: [GeneratedCodeTests.PetKind.none_, GeneratedCodeTests.PetKind.unrecognized("NEWT")]"#,
      "kindRows: [[GeneratedCodeTests.PetKind.dog, nil], []]",
      "error: GeneratedCodeTests.Schema.Error.loud", "currency: GeneratedCodeTests.Currency.hrk",
      "shape: GeneratedCodeTests.ObjectType.point",
      "in: Everything_in(task: GeneratedCodeTests.Schema.Task.open)",
    ] { #expect(text.contains(field), "\(text)") }
    #expect("\(data)".contains(text.dropFirst("Everything_everything".count)))
    let id = try #require(UUID(uuidString: "5B1F4C1A-0C4D-4A6B-9D35-6C0F1C6D7E8F"))
    #expect("\(data)".contains("id: \(String(reflecting: id))"))
    let inner = try #require(value.in)
    let fragment = try #require(environment.read(inner.fragments.printed_everything).data)
    #expect(
      String(reflecting: fragment)
        == "GeneratedCodeTests.Printed_everything(kind: GeneratedCodeTests.PetKind.cat, kinds: [GeneratedCodeTests.PetKind.unicorn])"
    )
    #expect(dumped(value).contains("- kind: GeneratedCodeTests.PetKind.guineaPig"))
  }

  @Test("a row prints a null enum as nil, and an enum that failed as its errors")
  func missingLeaves() throws {
    let environment = try printed(
      #"{"float": 1.5, "kind": null, "kinds": [], "kindRows": null, "error": "NEW", "currency": null, "shape": null, "in": {"task": null, "kind": null, "kinds": [null]}}"#
    )
    let value = try #require(environment.read(PrintedQuery()).data?.everything)
    #expect(
      "\(value)".hasSuffix(
        #"(float: 1.5, kind: nil, kinds: [], kindRows: nil, error: GeneratedCodeTests.Schema.Error.unrecognized("NEW"), currency: nil, shape: nil, in: Everything_in(task: nil))"#
      ), "\(value)")
    let fragment = try #require(value.in?.fragments.printed_everything)
    let text = try "\(#require(environment.read(fragment).data))"
    #expect(text.hasPrefix("Printed_everything(kind: nil, kinds: kinds[0]: "), "\(text)")
  }

  @Test("a value built by hand and an optimistic response print enums as the values given")
  func valuesBuiltByHand() {
    let response = ChangeMutation.RawResponse(
      change: .init(in: .init(task: .open), kind: .cat, kinds: [.dog, .unrecognized("NEWT")]))
    #expect(
      "\(response)".hasSuffix(
        #"(change: Everything_change(id: nil, kind: GeneratedCodeTests.PetKind.cat, kinds: [GeneratedCodeTests.PetKind.dog, GeneratedCodeTests.PetKind.unrecognized("NEWT")], in: Everything_in(id: nil, task: GeneratedCodeTests.Schema.Task.open)))"#
      ), "\(response)")
    let data = ChangeMutation.Data(change: .init(kind: .cat, kinds: nil, in: nil))
    #expect("\(data)".contains("kind: GeneratedCodeTests.PetKind.cat"), "\(data)")
  }
}
