/// The fields that optimistic responses left out although observers read them.
extension StoreState {
  /// Logs the fields that changes are missing because optimistic responses left them out. Such a
  /// change does not count as a loss.
  mutating func logOmissions(in changes: inout [ObserverTable.Change]) {
    guard events.isOn, !optimistic.all.isEmpty else { return }
    var omissions: [UInt64: Set<Hole>] = [:]
    for position in changes.indices where !changes[position].optimisticHoles.isEmpty {
      var isOmission = false
      for hole in changes[position].optimisticHoles {
        guard let layer = layer(responsibleFor: hole) else { continue }
        omissions[layer, default: []].insert(hole)
        isOmission = true
      }
      // Otherwise the write also left out fields of the base.
      if isOmission, changes[position].snapshot.holes.isEmpty { changes[position].lost = [] }
    }
    log(omissions)
    for position in optimistic.all.indices { optimistic.all[position].isNew = false }
  }

  /// Logs the fields that a new observer is missing because optimistic responses left them out.
  mutating func logOmissions(in snapshot: RowSnapshot) {
    guard !optimistic.all.isEmpty else { return }
    var omissions: [UInt64: Set<Hole>] = [:]
    for hole in snapshot.optimisticHoles {
      guard let layer = layer(responsibleFor: hole) else { continue }
      omissions[layer, default: []].insert(hole)
    }
    log(omissions)
  }

  /// Returns the id of the live optimistic response that left out a field: the one that created the
  /// record, or that has just written a record of the base.
  private func layer(responsibleFor hole: Hole) -> UInt64? {
    guard hole.field != nil else { return nil }
    let isCreated = source[base: hole.record].state != .present
    let layer = optimistic.all.first { layer in
      (isCreated || layer.isNew) && layer.written.contains(hole.record)
    }
    return layer.flatMap { $0.operationName == nil ? nil : $0.id }
  }

  /// Logs an event for each optimistic response that has none yet, oldest response first.
  private mutating func log(_ omissions: [UInt64: Set<Hole>]) {
    if omissions.isEmpty { return }
    for position in optimistic.all.indices {
      let layer = optimistic.all[position]
      guard !layer.hasLoggedOmissions, let operation = layer.operationName,
        let holes = omissions[layer.id]
      else { continue }
      optimistic.all[position].hasLoggedOmissions = true
      let fields = Set(holes.compactMap(name)).sorted(byBytes: \.self)
      events.append(.incompleteOptimisticResponse(operation: operation, fields: fields))
    }
  }

  /// Returns a field's type and name, without its arguments, which may contain the user's input.
  private func name(of hole: Hole) -> String? {
    guard let key = hole.field else { return nil }
    let field = source.keys.text(of: key).prefix { $0 != "(" }
    return source[hole.record].typeName.map { "\($0).\(field)" } ?? String(field)
  }
}
