#if canImport(SwiftUI)
  public import RelayStore
  public import SwiftUI

  private struct RelayEnvironmentKey: EnvironmentKey {
    static var defaultValue: RelayEnvironment? { nil }
  }

  extension EnvironmentValues {
    /// The Relay environment that property wrappers in views read from and send requests with;
    /// `nil` if no ancestor view has set one.
    public var relayEnvironment: RelayEnvironment? {
      get { self[RelayEnvironmentKey.self] }
      set { self[RelayEnvironmentKey.self] = newValue }
    }
  }

  extension View {
    /// Sets the Relay environment of this view and its descendants.
    ///
    ///     WindowGroup { FeedScreen().relayEnvironment(environment) }
    ///
    /// When the environment is replaced, for example after a logout, the descendants load again.
    public func relayEnvironment(_ environment: RelayEnvironment) -> some View {
      self.environment(\.relayEnvironment, environment)
    }
  }

  extension Optional where Wrapped == RelayEnvironment {
    /// The environment.
    ///
    /// - Precondition: An ancestor view has set one, as for SwiftUI's own environment objects.
    var required: RelayEnvironment {
      guard let self else {
        preconditionFailure(
          "A view reads GraphQL data without an environment. Apply .relayEnvironment(…) to an "
            + "ancestor.")
      }
      return self
    }
  }
#endif
