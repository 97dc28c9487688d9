import Foundation
import RelayPersistence
import RelayStore
import RelayStoreTesting
import Testing

@Suite("Ids with a custom Swift type", .timeLimit(.minutes(1)))
struct ValueIDTests {
  private static let upper = "AAAAAAAA-0000-4000-8000-00000000000A"
  private static let lower = "aaaaaaaa-0000-4000-8000-00000000000a"
  private static let other = "BBBBBBBB-0000-4000-8000-00000000000B"

  private func uuid(_ text: String = upper) throws -> UUID { try #require(UUID(uuidString: text)) }

  /// An environment with the device that `json` describes, and its transport.
  private func environment(_ json: String) throws -> (RelayEnvironment, MockTransport) {
    let transport = MockTransport()
    let environment = RelayEnvironment(store: RecordStore(), transport: transport)
    try environment.commitPayload(
      DeviceQuery(id: uuid()), data: Array(#"{"device": \#(json)}"#.utf8))
    return (environment, transport)
  }

  private func device(in environment: RelayEnvironment) throws -> Device_device? {
    let data = environment.read(try DeviceQuery(id: uuid())).data
    return data?.device.flatMap { environment.read($0.fragments.device_device).data }
  }

  @Test(
    "all spellings of an id's value identify one record",
    arguments: [
      #"{"id": "\#(upper)", "name": "Phone", "peers": [{"id": "\#(lower)", "name": "Phone"}]}"#,
      #"{"name": "Phone", "peers": [{"name": "Phone", "id": "\#(upper)"}], "id": "\#(lower)"}"#,
      #"{"peers": [{"id": "\u0041AAAAAAA-0000-4000-8000-00000000000a", "name": "Phone"}], "id": "\#(upper)", "name": "Phone"}"#,
    ])
  func spellings(json: String) throws {
    let (environment, _) = try environment(json)
    let dump = try JSONValue(parsing: Array(environment.store.dump().utf8))
    let keys = dump.object?.members.map(\.key) ?? []
    #expect(keys.filter { !$0.hasPrefix("client:") } == [Self.lower])
    #expect(try device(in: environment)?.id == uuid())
    let data = environment.read(try DeviceQuery(id: uuid())).data
    #expect(try data?.device?.peers?.map(\.id) == [uuid()])
  }

  @Test("an optimistic response with the id that was read changes the same record")
  func optimistic() async throws {
    let (environment, transport) = try environment(
      #"{"id": "\#(Self.upper)", "name": "Phone", "peers": null}"#)
    let read = try #require(try device(in: environment))
    async let renamed = environment.commit(
      RenameDeviceMutation(id: read.id, name: "Ann's"),
      optimisticResponse: .init(renameDevice: .init(id: read.id, name: "Ann's")))
    let pending = try await transport.next()
    #expect(try device(in: environment)?.name == "Ann's")
    pending.resolve(
      data: ["renameDevice": ["id": .string(Self.upper), "name": "Ann's phone"]])
    _ = try await renamed
    #expect(try device(in: environment)?.name == "Ann's phone")
  }

  @Test("updaters find the record by the id's value")
  func updaters() throws {
    let (environment, _) = try environment(
      #"{"id": "\#(Self.upper)", "name": "Phone", "peers": null}"#)
    let id = try #require(DataID(uuid()))
    try environment.commitUpdate { try $0[DataID(self.uuid())]?.setValue("Old phone", for: "name") }
    #expect(try device(in: environment)?.name == "Old phone")
    try environment.commitUpdate { try $0.delete(id) }
    #expect(environment.read(FragmentRef<Device_device>(id: id)).isDeleted)
  }

  @Test("a mutation deletes records however the response spells their ids")
  func deleting() async throws {
    let (environment, transport) = try environment(
      #"{"id": "\#(Self.upper)", "name": "Phone", "peers": [{"id": "\#(Self.other)", "name": "Pad"}]}"#
    )
    async let deleted = environment.commit(DeleteDevicesMutation())
    try await transport.next().resolve(
      data: [
        "deleteDevices": ["deletedID": .string(Self.upper), "deletedIDs": [.string(Self.other)]]
      ])
    _ = try await deleted
    for id in [Self.upper, Self.other] {
      #expect(
        try environment.read(FragmentRef<Device_device>(id: #require(DataID(uuid(id))))).isDeleted)
    }
  }

  @Test("an id that does not convert keeps the server's bytes; an empty or numeric one is no id")
  func unconverted() throws {
    let (environment, _) = try environment(
      #"{"id": "Not-A-UUID", "name": "A", "peers": [{"id": "", "name": "B"}, {"id": 0, "name": "C"}]}"#
    )
    let dump = environment.store.dump()
    #expect(dump.contains(#""Not-A-UUID": {"#) || dump.contains(#""Not-A-UUID":{"#))
    #expect(
      dump.contains("client:Not-A-UUID:peers:0") && dump.contains("client:Not-A-UUID:peers:1"))
  }

  @Test("a dump has the record under the text of the id's value, and restores it")
  func dump() throws {
    let (environment, _) = try environment(
      #"{"id": "\#(Self.upper)", "name": "Phone", "peers": [{"id": "\#(Self.other)", "name": "Pad"}]}"#
    )
    let restored = RelayEnvironment(
      store: try RecordStore(dump: environment.store.dump()), transport: MockTransport())
    #expect(try device(in: restored)?.name == "Phone")
    try restored.commitPayload(
      DeviceQuery(id: uuid()),
      data: ["device": ["id": .string(Self.lower), "name": "New", "peers": nil]])
    #expect(try device(in: restored)?.name == "New")
    #expect(!restored.store.dump().contains(#""name":"Phone""#))
  }

  @Test("a fragment with a custom id type is identified by it, and can be mirrored")
  func mirrored() throws {
    func id<Value: Identifiable>(_ value: Value) -> Value.ID { value.id }
    let (environment, _) = try environment(
      #"{"id": "\#(Self.upper)", "name": "Phone", "peers": null}"#)
    let read = try #require(try device(in: environment))
    #expect(id(read) == (try uuid()))
    let context = MemoryContext()
    let mirror = environment.mirror(
      Device_device.self, into: ObjectWriter(MirroredDevice.self, in: context))
    let object = try #require(
      try MirroredDevice.existingObject(in: context, withID: Self.lower))
    #expect(object.name == "Phone")
    try environment.commitUpdate { try $0[DataID(Self.lower)]?.setValue("Pad", for: "name") }
    #expect(object.name == "Pad")
    try environment.commitUpdate { try $0.delete(DataID(Self.lower)) }
    #expect(try MirroredDevice.existingObject(in: context, withID: Self.lower) == nil)
    mirror.cancel()
  }
}

private final class MirroredDevice: MemoryObject {
  let id: String
  private let value = Locked("")

  init(id: String) { self.id = id }

  var name: String { value.withLock { $0 } }

  func update(with fragment: Device_device) -> Bool {
    value.withLock { name in
      defer { name = fragment.name }
      return name != fragment.name
    }
  }
}
