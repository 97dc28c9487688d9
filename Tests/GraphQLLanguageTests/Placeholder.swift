import Testing

@testable import GraphQLLanguage
