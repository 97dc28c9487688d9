import RelayStore
import Testing

@Suite(.timeLimit(.minutes(1))) struct HostileResponseTests {
  @Test("bytes that are not JSON are refused", arguments: HostileResponses.bytes)
  func notJSON(_ response: HostileResponses.Case) throws { try check(response) }

  @Test("JSON of another shape is refused with its path", arguments: HostileResponses.shapes)
  func otherShapes(_ response: HostileResponses.Case) throws { try check(response) }

  @Test("unusual values are stored unchanged or are missing", arguments: HostileResponses.values)
  func oddValues(_ response: HostileResponses.Case) throws { try check(response) }

  @Test("values nested deeper than the limit are refused", arguments: HostileResponses.depths)
  func tooDeep(_ response: HostileResponses.Case) throws { try check(response) }

  @Test(
    "small responses with cyclic links are read within the limits",
    arguments: HostileResponses.amplified.indices)
  func amplified(_ position: Int) throws {
    let response = HostileResponses.amplified[position]
    let test = TestStore(
      .init(readLimits: ReadLimits(rows: 30_000, paths: 1_000), garbageCollection: .manual))
    try test.write(HostileResponses.nested.normalization, body: Array(response.body.utf8))
    let snapshot = test.read(HostileResponses.nested)
    let friends: ListBuffer? =
      if case .list(let list)? = snapshot.row?.slot(at: 0).row?.slot(at: 2).value { list } else {
        nil
      }
    #expect(friends?.count == response.friends, "\(response.name)")
    #expect((snapshot.errors.isEmpty && snapshot.missing.isEmpty) == (response.friends ?? 0 > 0))
  }

  private func check(_ response: HostileResponses.Case) throws {
    let test = TestStore()
    try test.write(HostileResponses.before, ["before": 1])
    let before = test.store.dump()
    switch response.outcome {
    case .refused(let path, let part):
      let error = #expect(throws: RelayError.self) {
        try test.write(HostileResponses.query.normalization, body: response.body)
      }
      #expect(error?.code == .response && error?.operationName == "TestQuery")
      #expect(error?.path.description == (path.isEmpty ? "(root)" : path))
      let expected = path.isEmpty ? part : "\"\(path)\""
      #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
      #expect(test.store.dump() == before)
    case .written(let data, let missing):
      try test.write(HostileResponses.query.normalization, body: response.body)
      let snapshot = test.read(HostileResponses.query)
      let found = snapshot.row.map { JSONValue.object($0.json) }
      #expect(found == (data ?? ["me": nil]))
      #expect(Set(snapshot.missing.map(\.description)) == Set(missing))
    }
  }
}
