import RelayStore

private let avatar = graphql("fragment Avatar_user on User { name mood joined error }")
private let badge = graphql("fragment Badge_todo on Todo @inline { text }")
