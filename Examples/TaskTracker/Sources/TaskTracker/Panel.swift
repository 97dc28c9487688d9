import RelayStore

/// A panel on the screen that shows every snapshot of one fragment until it is closed.
@MainActor final class Panel<Fragment: GraphQLFragment> {
  private(set) var snapshots: [Snapshot<Fragment>] = []
  private var loop: Task<Void, Never>?

  /// - Parameters:
  ///   - name: The name before each line.
  ///   - timeline: Prints the snapshots; `nil` prints none.
  init(
    _ name: String, _ fragment: FragmentRef<Fragment>, in environment: RelayEnvironment,
    on timeline: Timeline?, text: @escaping (Fragment) -> String
  ) {
    loop = Task { [weak self] in
      for await snapshot in environment.observe(fragment) {
        let pending = snapshot.isPending ? "loading …" : nil
        let shown = [snapshot.data.map(text) ?? (pending == nil ? "(no data)" : nil), pending]
        timeline?.show(
          name,
          shown.compactMap(\.self).joined(separator: "  ")
            + (snapshot.isOptimistic ? "  (optimistic)" : ""))
        self?.snapshots.append(snapshot)
      }
    }
  }

  /// The data of the last snapshot.
  var data: Fragment? { snapshots.last?.data }

  /// Waits until the data shown satisfies `isExpected`.
  ///
  /// - Returns: Whether it does within two seconds.
  func shows(_ isExpected: (Fragment) -> Bool) async throws -> Bool {
    try await eventually { self.data.map(isExpected) ?? false }
  }

  /// Closes the panel: cancels its observation and waits for its end.
  func close() async {
    loop?.cancel()
    await loop?.value
  }
}

/// Waits until `condition` holds.
///
/// - Returns: Whether it does within two seconds.
@MainActor func eventually(_ condition: () -> Bool) async throws -> Bool {
  for _ in 0..<400 {
    if condition() { return true }
    try await Task.sleep(for: .milliseconds(5))
  }
  return condition()
}
