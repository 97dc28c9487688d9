import ModuleScreens
import ModuleTypes
import RelayStore
import Testing

@Suite("a module that has all types of the schema", .timeLimit(.minutes(10)))
struct SchemaModuleTests {
  @Test("its types are those of the modules that name it")
  func types() {
    let filter = ScreenQuery().filter
    #expect(filter == GraphQLNullable<TodoFilter>.none)
    #expect(screenOfOpenTodos().filter.unwrapped?.state == .some(ModuleTypes.Schema.State.open))
    #expect(Mood.allCases.count == 2 && ModuleScreens.Schema.Moment.self == String.self)
  }

  @Test("it also has those that no document uses")
  func unused() {
    #expect(SetStateInput(id: "1", state: .done).state == .done)
  }
}
