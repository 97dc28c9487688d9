#if canImport(SwiftUI)
  import RelayStore

  /// Keeps a view's model from one evaluation of its body to the next.
  ///
  /// It is no observable object itself: views follow what they read of the model.
  @MainActor
  final class ModelHolder<Model: AnyObject> {
    private var kept: (model: Model, environment: RelayEnvironment, key: AnyHashable?)?

    nonisolated init() {}

    /// The model for a key and an environment; made when there is none for these.
    func model(
      in environment: RelayEnvironment, for key: AnyHashable? = nil, make: () -> Model
    ) -> Model {
      if let kept, kept.environment === environment, kept.key == key { return kept.model }
      let model = make()
      kept = (model, environment, key)
      return model
    }
  }
#endif
