import RelayStore

private let drafts = graphql(
  """
  query DraftsQuery($count: Int) {
    theme
    __id
    person(id: "p") { __id draft notes(first: $count) { text by { key: __id } } ...DraftName_person }
    animal { __id name }
  }
  """)

private let personName = graphql("fragment DraftName_person on Person { draft name }")
