import RelayStore

private let photo = graphql(
  """
  fragment Photo_user on User
    @argumentDefinitions(scale: {type: "Float!", provider: "ScreenScale"}, mood: {type: "Mood", provider: "Moods.Shown"}) {
    photo(scale: $scale, mood: $mood)
  }
  """)

/// A provider of a variable for every module that spreads the fragment.
public nonisolated enum ScreenScale { public static func get() -> Double { 2 } }

/// The namespace of a provider.
public enum Moods { public nonisolated enum Shown { public static func get() -> Mood? { .busy } } }

private let avatar = graphql("fragment Avatar_user on User { name mood joined error }")
private let badge = graphql("fragment Badge_todo on Todo @inline { text }")
private let node = graphql("fragment Base_node on Node { id }")
