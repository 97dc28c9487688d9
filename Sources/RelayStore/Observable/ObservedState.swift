/// The values of a model's properties.
protocol ModelState {
  /// Returns the properties whose values differ from another state.
  func changes(since old: Self) -> ModelProperties
}

/// The state of a model.
///
/// A view that is notified of a change may change the model before that change is made. So every
/// change applies to the newest state, and only the newest is shown.
@MainActor
final class ObservedState<State: ModelState>: TrackedProperties {
  /// The state that views read; still the old one while they are notified of a change.
  private(set) var shown: State
  /// The state after the change that views are being notified of.
  private var next: Box?
  private var notifying: ModelProperties = []

  private final class Box {
    let state: State
    init(_ state: State) { self.state = state }
  }

  init(_ state: State) { shown = state }

  /// The state including the change that views are being notified of.
  var newest: State { next?.state ?? shown }

  /// Returns the state for a view that reads `property`.
  subscript(property: ModelProperties) -> State {
    access(property)
    return shown
  }

  /// Changes the state and notifies the views of the properties that differ.
  ///
  /// - Parameter others: Returns further properties that change; called after `body`.
  func change(
    _ body: (inout State) -> Void, and others: (State) -> ModelProperties = { _ in [] }
  ) {
    var new = newest
    body(&new)
    let box = Box(new)
    next = box
    let changes = new.changes(since: shown).union(others(new)).subtracting(notifying)
    notifying.formUnion(changes)
    change(changes) {
      if next === box { (shown, next) = (new, nil) }
    }
    notifying.subtract(changes)
  }

  /// Replaces the state without a notification, while a view is being drawn.
  func replace(by new: State) { (shown, next) = (new, nil) }
}
