/// The demands that fragments make on their variables' values through the positions where they use
/// them. A variable passed on to another fragment inherits the demands on that fragment's variable.
struct FragmentVariableDemands {
  /// A position that makes a demand.
  struct Use {
    let type: ResolvedType
    let span: Span
  }

  struct Demand {
    /// A position that does not accept null.
    var notNull: Use?
    /// A position that does not accept a nullable variable.
    var notNullable: Use?

    /// - Returns: Whether a demand was added.
    fileprivate mutating func add(_ other: Demand) -> Bool {
      let isNew =
        (notNull == nil && other.notNull != nil) || (notNullable == nil && other.notNullable != nil)
      notNull = notNull ?? other.notNull
      notNullable = notNullable ?? other.notNullable
      return isNew
    }
  }

  private struct Key: Hashable {
    let fragment: Symbol
    let variable: Symbol
  }

  private var demands: [Key: Demand] = [:]
  /// The keys, in the order their demands were found.
  private var order: [Key] = []

  var isEmpty: Bool { demands.isEmpty }

  /// The demands on a fragment's variable; `nil` if there are none.
  subscript(fragment: Symbol, variable: Symbol) -> Demand? {
    demands[Key(fragment: fragment, variable: variable)]
  }

  /// Collects the demands. Requires that the documents have been walked.
  init(in context: ValidationContext) {
    var passing: [Key: [Key]] = [:]
    for fragment in context.fragments where !fragment.fragmentVariables.isEmpty {
      let name = fragment.definition.name.symbol
      let own = Set(fragment.fragmentVariables.map(\.name.symbol))
      for usage in fragment.usages where own.contains(usage.symbol) {
        guard !usage.position.isPassed, let type = usage.position.type, type.isNonNull else {
          continue
        }
        let use = Use(type: type, span: usage.span)
        let demand = Demand(
          notNull: usage.position.isCondition ? nil : use,
          notNullable: usage.position.hasDefault ? nil : use)
        _ = add(demand, to: Key(fragment: name, variable: usage.symbol))
      }
      for spread in fragment.spreads {
        for argument in spread.passedArguments {
          guard case .variable(let symbol) = argument.value.kind, own.contains(symbol) else {
            continue
          }
          let inner = Key(fragment: spread.name.symbol, variable: argument.name.symbol)
          passing[inner, default: []].append(Key(fragment: name, variable: symbol))
        }
      }
    }
    if !passing.isEmpty { propagate(passing) }
  }

  private mutating func propagate(_ passing: [Key: [Key]]) {
    var next = 0
    while next < order.count {
      let inner = order[next]
      next += 1
      guard let demand = demands[inner] else { continue }
      for outer in passing[inner] ?? [] where add(demand, to: outer) { order.append(outer) }
    }
  }

  /// - Returns: Whether this is a new demand on a variable that already had others.
  private mutating func add(_ demand: Demand, to key: Key) -> Bool {
    if demands[key] == nil {
      demands[key] = demand
      order.append(key)
      return false
    }
    return demands[key, default: demand].add(demand)
  }
}
