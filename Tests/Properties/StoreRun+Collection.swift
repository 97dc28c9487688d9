@testable import RelayStore

extension StoreRun {
  /// Collects garbage, and compares the remaining records with the model.
  func collect(isWhole: Bool, _ work: () -> Void) -> String? {
    let kept = Set(retained.values.map(\.shape) + buffered)
    let before = kept.map {
      ModelReader.read("client:root", Shapes.operations[$0].selection, from: model.base)
    }
    let count = model.base.count
    work()
    let dump = (try? JSONValue(parsing: Array(store.dump(.base).utf8)))?.object ?? [:]
    let ids = Set(dump.members.map(\.key))
    model.retain(only: ids)
    let isCollected = model.base.count < count
    let dropped = fieldsDropped(from: dump)
    if !holds.isEmpty {
      reach("collection under a hold")
      if isCollected || !dropped.isEmpty { return "Something was collected under a hold." }
    }
    if let problem = check(dropped, isWhole: isWhole) { return problem }
    model.drop(dropped)
    reach("collection", if: isCollected)
    reach("collection with observers", if: isCollected && !watches.isEmpty)
    reach("collection under updates", if: isCollected && !model.layers.isEmpty)
    let after = kept.map {
      ModelReader.read("client:root", Shapes.operations[$0].selection, from: model.base)
    }
    if before != after { return "Garbage collection took retained records: \(before) \(after)" }
    if isWhole, holds.isEmpty, watches.isEmpty, kept.isEmpty, model.layers.isEmpty,
      ids != ["client:root"]
    {
      return "Garbage collection left \(ids)."
    }
    return nil
  }

  /// Returns the fields that the model has and the store has dropped, of records that both have.
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
  private func check(_ dropped: Set<ModelField>, isWhole: Bool) -> String? {
    var selected: Set<ModelField> = []
    let shapes = Set(retained.values.map(\.shape) + buffered).map { Shapes.operations[$0] }
    for records in [model.base, model.visible] {
      for shape in shapes { shape.selection.select("client:root", in: records, &selected) }
      for watch in watches.values {
        for id in watch.ids { watch.selection.select(id, in: records, &selected) }
      }
    }
    var droppable: Set<ModelField> = []
    for (id, record) in model.base {
      for key in record?.fields.keys ?? [:].keys where key.contains("(") {
        let field = ModelField(id: id, key: key)
        reach(
          "field with arguments written by an updater",
          if: model.clientWrittenFields.contains(field))
        if !selected.contains(field), !model.clientWrittenFields.contains(field) {
          droppable.insert(field)
        }
      }
    }
    reach("field dropped", if: !dropped.isEmpty)
    reach("field dropped beside observers", if: !dropped.isEmpty && !watches.isEmpty)
    reach("field kept for a selection", if: !selected.isEmpty)
    let wrong = dropped.filter { field in
      !droppable.contains(field) || model.base[field.id] != model.visible[field.id]
    }
    if !wrong.isEmpty { return "Garbage collection dropped \(wrong)." }
    if isWhole, holds.isEmpty, model.layers.isEmpty, dropped != droppable {
      return "Garbage collection left \(droppable.subtracting(dropped))."
    }
    return nil
  }
}
