import Testing

@testable import RelayStore

@Suite("The sweep of type schema records", .timeLimit(.minutes(10)))
struct TypeSchemaSweepTests {
  @Test("the types of records whose shapes are released meanwhile are kept apart")
  func releasedShapes() {
    var sweep = TypeSchemaSweep()
    let names = (0..<100).map { "Type\($0)" }
    for name in names {
      // The next shape can have the address of this one, which nothing else retains.
      let shape = RecordShape(typeName: name, keys: [])
      let id = Array("1".utf8)
      id.withUnsafeBytes { sweep.keep(RecordStorage.make(shape, .present, id: $0)) }
    }
    #expect(sweep.names == Set(names.map { ByteString($0) }))
  }
}
