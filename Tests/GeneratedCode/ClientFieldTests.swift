import RelayStore
import Testing

@Suite("Client fields at run time", .timeLimit(.minutes(1)))
struct ClientFieldTests {
  @Test("client fields are not fetched, and are read as the client wrote them")
  func written() throws {
    let query = DraftsQuery(count: .some(2))
    let text = DraftsQuery.__operation.text
    for word in ["theme", "__id", "draft", "notes", "$count"] { #expect(!text.contains(word)) }
    let environment = try environment(
      query,
      """
      {"person": {"id": "p", "name": "Ann"},
       "animal": {"__typename": "Cat", "name": "Tom"}}
      """)
    try environment.commitUpdate { store in
      try store["p"]?.setValue("Dear", for: "draft")
      let note = try store.create("note", type: "Note")
      try note.setValue("Hi", for: "text")
      try store["p"].map { try note.setLinkedRecord($0, for: "by") }
      try store["p"]?.setLinkedRecords([note], for: "notes", arguments: ["first": 2])
      try store["client:root"]?.setValue("DARK", for: "theme")
    }
    let data = try #require(environment.read(query).data)
    #expect(data.theme == .dark && data.__id == "client:root")
    let person = try #require(data.person)
    #expect(person.__id == "p" && person.draft == "Dear")
    #expect(person.notes?.first?.text == "Hi" && person.notes?.first?.by?.key == "p")
    #expect(environment.read(person.fragments.draftName_person).data?.draft == "Dear")
    #expect(data.animal?.__id.hasPrefix("client:root:animal") == true)
  }

  @Test("retaining a query keeps records that are reachable only through client fields")
  func retained() throws {
    let query = DraftsQuery(count: .some(2))
    let environment = try environment(
      query, #"{"person": {"id": "p", "name": "Ann"}, "animal": null}"#)
    try environment.commitUpdate { store in
      let person = try store["p"]
      for (count, id) in [(2, "kept"), (3, "of another list")] {
        let note = try store.create(DataID(id), type: "Note")
        try note.setValue("Hi", for: "text")
        try note.setLinkedRecord(store.create(DataID("author of \(id)"), type: "Person"), for: "by")
        try person?.setLinkedRecords(
          [note], for: "notes", arguments: ["first": .number(JSONNumber(count))])
      }
    }
    let retention = environment.retain(query)
    environment.store.garbageCollector.finish()
    #expect(environment.read(query).data?.person?.notes?.first?.by?.key == "author of kept")
    #expect(environment.store.explain("kept") == [.retained(operation: "DraftsQuery", count: 1)])
    #expect(environment.store.explain("of another list").isEmpty)
    retention.release()
  }
}
