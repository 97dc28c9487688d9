import ModuleScreens
import ModuleTypes
import RelayStore
import Testing

@Suite("A module with all types of the schema", .timeLimit(.minutes(1)))
struct SchemaModuleTests {
  @Test("other modules use the types of the schema module")
  func types() {
    let filter = ScreenQuery().filter
    #expect(filter == GraphQLNullable<TodoFilter>.none)
    #expect(screenOfOpenTodos().filter.unwrapped?.state == .some(ModuleTypes.Schema.State.open))
    let owner = ScreenQuery.Data.Todo_todos.User_owner(mood: .busy, error: .some(.late))
    #expect(
      "\(owner)"
        == "User_owner(mood: ModuleTypes.Mood.busy, error: ModuleTypes.Schema.Error.late)")
    #expect(Mood.allCases.count == 2 && ModuleScreens.Schema.Moment.self == String.self)
  }

  @Test("the schema module also has types that no document uses")
  func unused() {
    #expect(SetStateInput(id: "1", state: .done).state == .done)
  }
}
