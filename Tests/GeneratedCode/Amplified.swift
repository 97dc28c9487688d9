import RelayStore

private let amplified = graphql(
  """
  query BuddiesQuery { me { id name buddies { id name buddies { id name } } } }
  query TenBuddiesQuery {
    me { id name buddies { id name buddies { id name buddies { id name buddies { id name buddies { id name buddies { id name buddies { id name buddies { id name buddies { id name buddies { id name  } } } } } } } } } } }
  }
  query HubQuery { me { id buddies { id name buddies { id buddies { id name } } } } }
  query AgesQuery { me { id buddies { id buddies { id age } } } }
  query AgeErrorsQuery { me { id age buddies { id age buddies { id age } } } }
  query CaughtAgesQuery { me { id buddies { id buddies { id age @catch } } } }
  query CaughtHubQuery { me { id buddies { id buddies @catch { id buddies { id age } } } } }
  query ThrowingBuddiesQuery @throwOnFieldError { me { id buddies { id buddies { id name } } } }
  query BuddyRowsQuery { me { id buddies { id ...Buddy_person } } }
  fragment Buddy_person on Person { id name buddies { id name buddies { id name } } }
  query ClubsQuery { clubs { id partners { id chair { id } members { id } } } }
  query FriendlyAnimalsQuery {
    animal {
      name
      friends { name }
      ... on Dog {
        friends { name friends { name } ... on Dog { barks friends { name friends { name } ... on Dog { barks friends { name } } } } }
      }
    }
  }
  mutation AmplifiedRenameMutation($id: ID!, $name: String!) {
    rename(id: $id, name: $name) { person { id buddies { id buddies { id buddies { id } } } } }
  }
  """)
