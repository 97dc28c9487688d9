import Testing

@testable import RelayStore

@Suite("The sweep of type schema records", .timeLimit(.minutes(1)))
struct TypeSchemaSweepTests {
  @Test("the types of records whose shapes are released meanwhile are kept apart")
  func releasedShapes() {
    var sweep = TypeSchemaSweep()
    let names = (0..<100).map { "Type\($0)" }
    for name in names {
      // The next shape may reuse the address of this one, because it has no other owner.
      let shape = RecordShape(typeName: name, keys: [])
      let id = Array("1".utf8)
      id.withUnsafeBytes { sweep.keep(RecordBox.make(shape, .present, id: $0)) }
    }
    #expect(sweep.names == Set(names.map { ByteString($0) }))
  }

  @Test("a type whose record is written again during a collection stays registered, with its index")
  func writtenAgain() throws {
    var source = LayeredSource()
    let index = source.intern("1")
    source.make(index, typeName: "Other", in: .base)
    let schema = try #require(source.index(of: .typeSchema("Other")))
    _ = source.drainChanges(previousOverlay: [:])
    var run = GarbageCollectionRun()
    // The record is garbage. Its type is swept along with it, and written again before the run
    // ends.
    func isSwept(_ index: RecordIndex) -> Bool { source.base.unretained(index) == nil }
    while !isSwept(index) || !isSwept(schema) { #expect(!run.step(1, on: &source)) }
    source.make(source.intern("1"), typeName: "Other", in: .base)
    _ = source.drainChanges(previousOverlay: [:])
    run.recordsDidChange([index], in: source)
    while !run.step(.max / 2, on: &source) {}
    // The next run retains the record.
    run = GarbageCollectionRun()
    run.mark(index, in: source)
    while !run.step(.max / 2, on: &source) {}
    #expect(!isSwept(index) && source.isRegisteredType(ByteString("Other")))
    #expect(source.index(of: .typeSchema("Other")) != nil)
    // Without a record, the type is unregistered.
    run = GarbageCollectionRun()
    while !run.step(.max / 2, on: &source) {}
    #expect(!source.isRegisteredType(ByteString("Other")))
    #expect(source.index(of: .typeSchema("Other")) == nil)
  }
}
