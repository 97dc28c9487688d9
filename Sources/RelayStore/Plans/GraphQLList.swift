/// A list in a snapshot.
///
/// A random-access collection over shared storage: copying one costs a retain however long it is,
/// and elements are made when they are asked for. It can be written as an array literal and
/// compared.
public struct GraphQLList<Element: RowValue>: Sendable {
  let storage: ListStorage

  /// A list of these elements.
  public init(_ elements: some Sequence<Element>) {
    storage = ListStorage(elements.map(\.__slot))
  }
}

extension GraphQLList: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { storage.slots.count }

  /// - Complexity: O(1).
  public subscript(position: Int) -> Element {
    guard let element = Element(__slot: storage.slots[position]) else {
      preconditionFailure("A list's element is no \(Element.self); run relay-compiler again.")
    }
    return element
  }
}

extension GraphQLList: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension GraphQLList: Hashable {
  public static func == (left: GraphQLList, right: GraphQLList) -> Bool {
    left.storage === right.storage || left.storage.slots == right.storage.slots
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(storage.slots) }
}

extension GraphQLList: RowValue {
  public init?(__slot: Slot) {
    guard case .list(let list) = __slot.value else { return nil }
    storage = list
  }

  @_semantics("optimize.sil.specialize.generic.never")
  public var __slot: Slot { Slot(.list(storage)) }
}

extension GraphQLList: CustomStringConvertible, CustomReflectable {
  public var description: String { Array(self).description }
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: self, displayStyle: .collection)
  }
}
