#if canImport(SwiftUI)
  public import RelayStore
  public import SwiftUI

  private struct RelayEnvironmentKey: EnvironmentKey {
    static var defaultValue: RelayEnvironment? { nil }
  }

  extension EnvironmentValues {
    /// What the views' property wrappers read from and send with; `nil` where no view above has said one.
    public var relayEnvironment: RelayEnvironment? {
      get { self[RelayEnvironmentKey.self] }
      set { self[RelayEnvironmentKey.self] = newValue }
    }
  }

  extension View {
    /// Gives an environment to this view and those in it.
    ///
    ///     WindowGroup { FeedScreen().relayEnvironment(environment) }
    ///
    /// With another one than before, as after a logout, the views below load anew.
    public func relayEnvironment(_ environment: RelayEnvironment) -> some View {
      self.environment(\.relayEnvironment, environment)
    }
  }

  extension Optional where Wrapped == RelayEnvironment {
    /// The environment; a view without one is a mistake of the app's, as with SwiftUI's own environment objects.
    var given: RelayEnvironment {
      guard let self else {
        preconditionFailure(
          "A view reads GraphQL data without an environment. Say .relayEnvironment(…) above it.")
      }
      return self
    }
  }
#endif
