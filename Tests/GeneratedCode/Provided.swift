import RelayStore

/// The provider of the number of pets.
nonisolated enum PageSize {
  static func get() -> Int { 2 }
}

enum Flags {
  /// The provider of the kind of pets.
  enum Kind {
    nonisolated static func get() -> PetKind { .dog }
  }
}

private let provided = graphql("query ProvidedQuery { person(id: \"p\") { ...Outer_person } }")
private let outer = graphql("fragment Outer_person on Person { name ...Inner_person }")
private let inner = graphql(
  """
  fragment Inner_person on Person @argumentDefinitions(
    count: {type: "Int!", provider: "PageSize"}
    kind: {type: "PetKind", provider: "Flags.Kind"}
  ) {
    pets(first: $count, kind: $kind) { name }
  }
  """)
