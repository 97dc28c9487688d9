import Observation
import RelayStore

/// A view that is redrawn in the next frame when a property it has read changes.
@MainActor
final class DrawnView {
  private let isDue = Locked(true)
  private let body: @MainActor () -> Void
  /// The number of times that the view was drawn.
  private(set) var drawCount = 0

  init(_ body: @escaping @MainActor () -> Void) {
    self.body = body
    draw()
  }

  /// Draws the view if a redraw is due.
  func draw() {
    guard isDue.withLock({ $0 }) else { return }
    isDue.withLock { $0 = false }
    drawCount += 1
    withObservationTracking {
      body()
    } onChange: { [isDue] in
      isDue.withLock { $0 = true }
    }
  }
}
