#if canImport(SwiftUI)
  import RelayStore

  /// The owner of a view's model across evaluations of the view's body.
  ///
  /// The holder itself is not observable; views observe the model's properties that they read.
  @MainActor
  final class ModelHolder<Model: AnyObject> {
    private var current: (model: Model, environment: RelayEnvironment, key: AnyHashable?)?

    nonisolated init() {}

    /// Returns the model for a key and an environment; creates one if either differs from the
    /// current model's.
    ///
    /// Called while a view is being drawn, so it creates a model instead of changing the current
    /// one.
    ///
    /// - Parameter make: Creates a model; called with the current one, if its environment is the
    ///   same.
    func model(
      in environment: RelayEnvironment, for key: AnyHashable? = nil, make: (Model?) -> Model
    ) -> Model {
      if let current, current.environment === environment, current.key == key {
        return current.model
      }
      let model = make(current.flatMap { $0.environment === environment ? $0.model : nil })
      current = (model, environment, key)
      return model
    }
  }
#endif
