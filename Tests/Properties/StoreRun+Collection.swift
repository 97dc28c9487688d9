@testable import RelayStore

extension StoreRun {
  /// Collects garbage, and compares the remaining records with the model.
  func collect(isComplete: Bool, _ work: () -> Void) -> String? {
    let retainedOperations = Set(retained.values.map(\.operation) + buffered)
    let before = retainedOperations.map {
      ModelReader.read("client:root", TestSelections.operations[$0].selection, from: model.base)
    }
    let count = model.base.count
    work()
    let dump = (try? JSONValue(parsing: Array(store.dump(.base).utf8)))?.object ?? [:]
    let ids = Set(dump.members.map(\.key))
    model.retain(only: ids)
    let isCollected = model.base.count < count
    let dropped = fieldsDropped(from: dump)
    if !holds.isEmpty {
      markReached("garbage collection under a hold")
      if isCollected || !dropped.isEmpty { return "Garbage was collected under a hold." }
    }
    if let problem = check(dropped, isComplete: isComplete) { return problem }
    model.drop(dropped)
    markReached("garbage collection", if: isCollected)
    markReached("garbage collection with observers", if: isCollected && !observers.isEmpty)
    markReached("garbage collection under updates", if: isCollected && !model.layers.isEmpty)
    let after = retainedOperations.map {
      ModelReader.read("client:root", TestSelections.operations[$0].selection, from: model.base)
    }
    if before != after { return "Garbage collection removed retained records: \(before) \(after)" }
    if isComplete, holds.isEmpty, observers.isEmpty, retainedOperations.isEmpty,
      model.layers.isEmpty,
      ids != ["client:root"]
    {
      return "Garbage collection left \(ids)."
    }
    return nil
  }

  /// Returns the fields that the model has and the store dropped, of records that both have.
  private func fieldsDropped(from dump: JSONObject) -> Set<ModelField> {
    var dropped: Set<ModelField> = []
    for (id, record) in model.base {
      guard let record, let found = dump[id]?.object else { continue }
      for key in record.fields.keys where found[key] == nil {
        dropped.insert(ModelField(id: id, key: key))
      }
    }
    return dropped
  }

  /// Checks that only unselected fields with arguments were dropped and, after a complete
  /// collection, all of them. Returns the violation, or `nil`.
  private func check(_ dropped: Set<ModelField>, isComplete: Bool) -> String? {
    var selected: Set<ModelField> = []
    let operations = Set(retained.values.map(\.operation) + buffered).map {
      TestSelections.operations[$0]
    }
    for records in [model.base, model.visible] {
      for operation in operations {
        operation.selection.select("client:root", in: records, &selected)
      }
      for observer in observers.values {
        for id in observer.ids { observer.selection.select(id, in: records, &selected) }
      }
    }
    var droppable: Set<ModelField> = []
    for (id, record) in model.base {
      for key in record?.fields.keys ?? [:].keys where key.contains("(") {
        let field = ModelField(id: id, key: key)
        markReached(
          "field with arguments written by an updater",
          if: model.clientWrittenFields.contains(field))
        if !selected.contains(field), !model.clientWrittenFields.contains(field) {
          droppable.insert(field)
        }
      }
    }
    markReached("field collected", if: !dropped.isEmpty)
    markReached("field collected with observers", if: !dropped.isEmpty && !observers.isEmpty)
    markReached("field retained by a selection", if: !selected.isEmpty)
    let wrong = dropped.filter { field in
      !droppable.contains(field) || model.base[field.id] != model.visible[field.id]
    }
    if !wrong.isEmpty { return "Garbage collection dropped \(wrong)." }
    if isComplete, holds.isEmpty, model.layers.isEmpty, dropped != droppable {
      return "Garbage collection left \(droppable.subtracting(dropped))."
    }
    return nil
  }
}
