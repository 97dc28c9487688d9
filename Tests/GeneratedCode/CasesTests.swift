import RelayStore
import Testing

@Suite("Type conditions as cases", .timeLimit(.minutes(1)))
struct CasesTests {
  private typealias Parcel = ParcelsQuery.Data.Parcel_parcels

  private func parcels(_ query: ParcelsQuery) throws -> GraphQLList<Parcel> {
    let environment = RelayEnvironment(transport: NoTransport())
    try environment.commitPayload(
      query,
      data: [
        "parcels": [
          [
            "__typename": "Box", "__isSealed": "Box", "cases": 1, "seal": "red", "width": 3,
          ],
          ["__typename": "Other", "cases": 2, "what": "soup"],
          [
            "__typename": "Letter", "__isSealed": "Letter", "cases": nil, "seal": "blue",
            "sender": ["id": "p"],
          ],
          ["__typename": "Tube", "cases": 4, "sender": ["id": "q", "name": "Q"]],
          ["__typename": "Balloon", "cases": 5],
        ]
      ])
    return try #require(environment.read(query).data?.parcels)
  }

  /// Describes a parcel; the compiler checks that no case is missing.
  private func text(_ parcel: Parcel) -> String {
    switch parcel.cases_ {
    case .box(let box): "box \(box.width ?? 0)"
    case .other_(let other): "other \(other.what ?? "")"
    case .roll(let tube): "tube of \(tube.sender?.name ?? "")"
    case .sealed(let sealed):
      switch sealed.cases_ {
      case .letter(let letter): "letter of \(letter.sender?.id ?? "")"
      case .box: "sealed box"
      case .other(let typename): "sealed \(typename)"
      }
    case .other(let typename): "unknown \(typename)"
    }
  }

  @Test("the case is that of the object type, then that of the first interface, then other")
  func cases() throws {
    let parcels = try parcels(ParcelsQuery())
    #expect(
      parcels.map(text)
        == ["box 3", "other soup", "letter of p", "tube of Q", "unknown Balloon"])
    // The field with this name is still a field.
    #expect(parcels.map(\.cases) == [1, 2, nil, 4, 5])
  }

  @Test("the case of a condition with @include is there when its fields are excluded")
  func excluded() throws {
    #expect(try text(#require(parcels(ParcelsQuery(withBoxes: false)).first)) == "box 0")
  }

  @Test("an object prints its fields, whatever it is nested in")
  func printed() throws {
    let box = try #require(parcels(ParcelsQuery()).first)
    let fields = #"(__typename: "Box", cases: 1, seal: "red", sender: nil, width: 3)"#
    #expect("\(box)" == "Parcel_parcels" + fields)
    #expect(try "\(#require(box.asBox))" == "AsBox" + fields)
    let person = RenameMutation.RawResponse.RenamePayload_rename.Person_person(
      id: "1", name: "Ada")
    #expect("\(person)" == #"Person_person(id: "1", name: "Ada")"#)
  }

  @Test("a value built by hand has its case")
  func built() {
    #expect(text(Parcel(asBox: .init(cases: 1, seal: "x", width: 8))) == "box 8")
    #expect(text(Parcel(__typename: "Pipe")) == "unknown Pipe")
  }
}
