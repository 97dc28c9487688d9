#if DEBUG && compiler(>=6.2)
  import RelayStoreTesting
  import Testing

  @_spi(GeneratedCode) import RelayStore

  /// A scalar whose conversion uses the configured environment.
  private struct CallingScalar: CustomScalar {
    static let environment = Locked<RelayEnvironment?>(nil)

    init(json: JSONValue) throws {
      guard let environment = Self.environment.withLock({ $0 }) else { return }
      _ = environment.read(FragmentRef<LiveUserName>(id: "1"))
    }

    var json: JSONValue { "" }
  }

  private struct CallingFragment: GraphQLFragment {
    static let __plan = SelectionPlan(
      "CallingFragment User{name Calling}", leaves: ["Calling": CallingScalar.self])
    let __row: Row
  }

  @Suite("App code that uses the store while the store runs it", .timeLimit(.minutes(1)))
  struct StoreCallbackTests {
    private static func environment(
      _ handlers: [MissingFieldHandler] = []
    ) throws -> RelayEnvironment {
      let environment = RelayEnvironment(
        store: RecordStore(
          configuration: .init(garbageCollection: .manual, missingFieldHandlers: handlers)),
        transport: MockTransport())
      try environment.commitPayload(
        LiveUserQuery(id: "1"), data: ["user": ["id": "1", "name": "Ann"]])
      return environment
    }

    private func expect(
      _ text: String, in result: ExitTest.Result?,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(output.contains(text), "\(output)", sourceLocation: sourceLocation)
    }

    @Test("the message of the trap names the derived field")
    func derived() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let environment = try Self.environment()
        environment.derive("User.status") { (user: LiveUserName) -> String? in
          environment.read(FragmentRef<LiveUserName>(id: "1")).data?.name
        }
        _ = environment.read(FragmentRef<LiveUserRow>(id: "1"))
      }
      expect(
        "The store was used by the function of the derived field \"User.status\", which runs while",
        in: result)
    }

    @Test("the message of the trap names the scalar")
    func scalar() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let environment = try Self.environment()
        CallingScalar.environment.withLock { $0 = environment }
        _ = environment.read(FragmentRef<CallingFragment>(id: "1"))
      }
      expect(
        "The store was used by the conversion of the scalar type CallingScalar, which", in: result)
    }

    @Test("the message of the trap names the field that a handler was asked for")
    func handler() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let box = Locked<RelayEnvironment?>(nil)
        let environment = try Self.environment([
          .scalar { _ in
            let environment = box.withLock { $0 }
            _ = environment?.read(FragmentRef<LiveUserName>(id: "1"))
            return .none
          }
        ])
        box.withLock { $0 = environment }
        _ = environment.read(FragmentRef<LiveUserName>(id: "2"))
        _ = environment.read(FragmentRef<CallingFragment>(id: "1"))
        try environment.commitUpdate { _ = try $0.create("3", type: "User") }
        _ = environment.read(FragmentRef<LiveUserName>(id: "3"))
      }
      expect("The store was used by a missing field handler, asked for \"id\", which", in: result)
    }
  }
#endif
