import RelayStore
import SeededRandom

/// An operation on a store, as a value that can be printed and repeated.
indirect enum StoreOperation: Equatable {
  case commit(Model.Payload?, [UpdateStep])
  case apply(Int, Model.Payload?, [UpdateStep])
  case replace(Int, [UpdateStep])
  case revert(Int)
  /// Commits the response of a mutation, and reverts its optimistic update in the same publish.
  case commitMutation(Int, Model.Payload, [UpdateStep])
  /// Commits the same response twice.
  case repeated(Model.Payload)
  /// Observes a record with a fragment. The number identifies the observer; fragments and
  /// operations are indices into ``TestSelections``.
  case observe(Int, fragment: Int, id: String)
  case observeOperation(Int, operation: Int)
  /// Observes several records as one list.
  case observeAll(Int, fragment: Int, ids: [String])
  case cancel(Int)
  case retain(Int, operation: Int)
  case release(Int)
  case collect
  /// Runs one slice of a garbage collection.
  case collectSlice(records: Int)
  /// Prevents garbage collections until the hold is released.
  case hold(Int)
  case endHold(Int)
  /// Restores a store from a dump.
  case restore
  case check(operation: Int)
  /// Loads an operation until ``endLoad(_:)``.
  case load(Int, operation: Int, policy: FetchPolicy)
  case endLoad(Int)
  /// Normalizes a response that is committed later, possibly after responses that were sent later.
  case send(Int, Model.Payload)
  case arrive(Int)
  case batch([StoreOperation])
}

/// A generator of operations on few ids and values, so that they collide.
struct OperationGenerator {
  private var random: SeededGenerator
  private var last = 0
  private var layers: [Int] = []
  private var observers: [Int] = []
  private var retentions: [Int] = []
  private var sent: [Int] = []
  private var holds: [Int] = []
  private var loads: [Int] = []

  private static let ids = ["1", "2", "3", "4", "5", "client:root:box", "client:1:box"]
  private static let names = ["Ada", "Bob", "Eve"]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func next() -> StoreOperation {
    switch chance(118) {
    case 0..<30: return .commit(chance(4) > 0 ? payload() : nil, chance(2) > 0 ? [] : steps())
    case 30..<42:
      layers.append(number())
      return .apply(last, chance(2) > 0 ? payload() : nil, steps())
    case 42..<46: return .replace(pick(layers), steps())
    case 46..<58:
      if layers.isEmpty { return next() }
      return .revert(layers.remove(at: chance(layers.count)))
    case 58..<66:
      observers.append(number())
      if chance(3) == 0 {
        return .observeOperation(last, operation: chance(TestSelections.operations.count))
      }
      return .observe(last, fragment: chance(TestSelections.fragments.count), id: pick(Self.ids))
    case 66..<74:
      if observers.isEmpty { return next() }
      return .cancel(observers.remove(at: chance(observers.count)))
    case 74..<80:
      retentions.append(number())
      return .retain(last, operation: chance(TestSelections.operations.count))
    case 80..<87:
      if retentions.isEmpty { return next() }
      return .release(retentions.remove(at: chance(retentions.count)))
    case 87..<89: return .collect
    case 89..<94: return .collectSlice(records: 1 + chance(4))
    case 94..<96: return .check(operation: chance(TestSelections.operations.count))
    case 96..<98:
      if chance(2) == 0, !sent.isEmpty { return .arrive(sent.remove(at: chance(sent.count))) }
      sent.append(number())
      return .send(last, payload())
    case 98..<100:
      if layers.isEmpty { return next() }
      let steps = chance(3) > 0 ? [] : self.steps()
      return .commitMutation(layers.remove(at: chance(layers.count)), payload(), steps)
    case 100..<102: return .repeated(payload())
    case 102..<105:
      observers.append(number())
      let ids = (0..<chance(4)).map { _ in pick(Self.ids) }
      return .observeAll(last, fragment: chance(TestSelections.fragments.count), ids: ids)
    case 105:
      holds.append(number())
      return .hold(last)
    case 106:
      if holds.isEmpty { return next() }
      return .endHold(holds.remove(at: chance(holds.count)))
    case 107: return .restore
    case 108..<113:
      loads.append(number())
      let policy: FetchPolicy = chance(3) == 0 ? .storeOnly : .storeOrNetwork
      return .load(last, operation: chance(TestSelections.operations.count), policy: policy)
    case 113..<116:
      if loads.isEmpty { return next() }
      return .endLoad(loads.remove(at: chance(loads.count)))
    default: return .batch((0..<2 + chance(3)).map { _ in change() })
    }
  }

  /// Returns a commit or the revert of an optimistic update.
  private mutating func change() -> StoreOperation {
    if chance(4) == 0, !layers.isEmpty {
      return .revert(layers.remove(at: chance(layers.count)))
    }
    return .commit(chance(2) > 0 ? payload() : nil, steps())
  }

  private mutating func chance(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[chance(elements.count)]
  }

  private mutating func pick(_ numbers: [Int]) -> Int {
    numbers.isEmpty ? 0 : numbers[chance(numbers.count)]
  }

  private mutating func number() -> Int {
    last += 1
    return last
  }

  // MARK: Updates

  private mutating func steps() -> [UpdateStep] { (0..<1 + chance(3)).map { _ in step() } }

  private mutating func step() -> UpdateStep {
    switch chance(28) {
    case 24: .setNick(pick(Self.ids), .string(pick(Self.names)))
    case 25: .linkItem(pick(["client:root:box", "client:1:box", "1"]), pick(Self.ids))
    case 26: .set(pick(Self.ids), "draft", .string(pick(Self.names)))
    case 27:
      chance(2) == 0 ? .remove(pick(Self.ids), "draft") : .set("client:root", "theme", "dark")
    case 20: .remove(pick(Self.ids), pick(["name", "owner", "friends"]))
    case 21: .copy(pick(Self.ids), from: pick(Self.ids))
    case 22: .invalidate(pick(Self.ids))
    case 23: chance(4) == 0 ? .invalidateStore : .invalidate(pick(Self.ids))
    case 0..<6: .set(pick(Self.ids), "name", .string(pick(Self.names)))
    case 6..<9: .set(pick(Self.ids), "score", chance(4) == 0 ? .null : .number(.init(chance(3))))
    case 9..<11: .link(pick(Self.ids), "owner", chance(4) == 0 ? nil : pick(Self.ids))
    case 11..<13:
      .linkAll(pick(Self.ids), "friends", (0..<chance(3)).map { _ in pick(Self.ids) })
    case 13: .linkAll("client:root", "items", (0..<chance(4)).map { _ in pick(Self.ids) })
    case 14..<16: .create(pick(Self.ids), type: chance(4) == 0 ? "Other" : "Item")
    case 16..<19: .delete(pick(Self.ids))
    default: .fail
    }
  }

  // MARK: Responses

  private mutating func payload() -> Model.Payload {
    let operation = chance(TestSelections.operations.count)
    var errors: [[String]] = []
    let data = object(TestSelections.operations[operation].selection, path: [], errors: &errors)
    return Model.Payload(operation: operation, data: data, errors: errors)
  }

  private mutating func object(
    _ selection: ModelSelection, path: [String], errors: inout [[String]]
  ) -> JSONValue {
    var object = JSONObject()
    let type = selection.isAbstract ? pick(selection.possibleTypes) : selection.typeName
    if selection.isAbstract { object["__typename"] = .string(type) }
    for field in selection.fields
    where !field.isClient && (field.onlyOn == nil || field.onlyOn == type) {
      object[field.name] = value(field, path: path + [field.name], errors: &errors)
    }
    return .object(object)
  }

  private mutating func value(
    _ field: ModelSelection.Field, path: [String], errors: inout [[String]]
  ) -> JSONValue {
    if field.name != "id", chance(field.isNullable ? 6 : 60) == 0 {
      if chance(3) == 0 { errors.append(path + (chance(2) == 0 ? ["below"] : [])) }
      return .null
    }
    switch field.kind {
    case .scalar("ID"): return .string(pick(["1", "2", "3", "4", "5"]))
    case .scalar("Int"): return .number(.init(chance(3)))
    case .scalar: return .string(pick(Self.names))
    case .object(let selection): return object(selection, path: path, errors: &errors)
    case .list(let selection):
      var elements: [JSONValue] = []
      for position in 0..<chance(4) {
        let isNull = chance(field.hasNullableElements ? 5 : 60) == 0
        elements.append(
          isNull ? .null : object(selection, path: path + ["\(position)"], errors: &errors))
      }
      return .array(elements)
    }
  }
}
