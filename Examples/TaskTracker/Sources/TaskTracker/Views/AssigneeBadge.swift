import RelayStore

private let assigneeBadge = graphql(
  """
  fragment AssigneeBadge_assignee on Assignee {
    name
    ... on Team { members { id } }
  }
  """)

/// The assignee of a task: a person, or a team with its size.
enum AssigneeBadge {
  static func text(
    _ reference: FragmentRef<AssigneeBadge_assignee>, _ environment: RelayEnvironment
  ) -> String {
    guard let assignee = environment.read(reference).data else { return "@?" }
    let size = assignee.asTeam.map { " ×\($0.members.count)" } ?? ""
    return "@\(assignee.name)\(size)"
  }
}
