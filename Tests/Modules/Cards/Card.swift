import ModuleBase
import RelayStore

private let todoCard = graphql(
  """
  fragment Card_todo on Todo { state due owner { mood ...Avatar_user ...Photo_user } price ...Badge_todo }
  """)

private let setState = graphql(
  """
  mutation SetState($input: SetStateInput!) { setState(input: $input) { id ...Card_todo } }
  """)

/// Describes a todo from its fragments, using types from both modules.
public func words(of card: Card_todo) -> String {
  let mood: Mood = card.owner.mood
  let due: ModuleBase.Schema.Moment? = card.due
  return
    "\(card.fragments.badge_todo.text): \(card.state), \(mood), \(due == nil ? "any time" : "due")"
}
