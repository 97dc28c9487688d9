/// A list in a snapshot.
///
/// A random-access collection over shared storage: copying one costs a retain however long it is,
/// and elements are made when they are asked for. It can be written as an array literal and
/// compared.
public struct GraphQLList<Element: RowValue>: Sendable {
  @usableFromInline package let storage: ListStorage

  /// A list of these elements.
  public init(_ elements: some Sequence<Element>) {
    storage = ListStorage(elements.map { RowSlot(of: $0) })
  }
}

extension GraphQLList: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { storage.count }

  /// - Complexity: O(1).
  @inlinable
  public subscript(position: Int) -> Element {
    Self.element(storage[position])
  }
}

extension GraphQLList {
  /// Goes through a list chunk by chunk.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var chunks: ContiguousArray<ListChunk>.Iterator
    @usableFromInline var slots: ContiguousArray<RowSlot>.Iterator

    @usableFromInline init(_ list: GraphQLList) {
      chunks = list.storage.chunks.makeIterator()
      slots = ContiguousArray<RowSlot>().makeIterator()
    }

    @inlinable
    public mutating func next() -> Element? {
      while true {
        if let slot = slots.next() {
          return GraphQLList.element(slot)
        }
        guard let chunk = chunks.next() else { return nil }
        slots = chunk.slots.makeIterator()
      }
    }
  }

  @inlinable
  public func makeIterator() -> Iterator { Iterator(self) }

  @inlinable
  static func element(_ slot: RowSlot) -> Element {
    // Only a struct over a row, or an optional one, is made of a row and has its size.
    if MemoryLayout<Element>.size == MemoryLayout<Row>.size, let row = slot.row {
      return unsafeBitCast(Row(row), to: Element.self)
    }
    guard let element = Element(__slot: slot) else { mismatch() }
    return element
  }

  /// Generated code and its plan disagree. No server can bring that about: a reader puts into a list only what the
  /// plan says its elements are.
  @usableFromInline static func mismatch() -> Never {
    preconditionFailure("A list's element is no \(Element.self); run relay-compiler again.")
  }
}

extension GraphQLList: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension GraphQLList: Hashable {
  public static func == (left: GraphQLList, right: GraphQLList) -> Bool {
    var comparison = RowComparison()
    return comparison.areEqual(left.storage, right.storage)
  }

  public func hash(into hasher: inout Hasher) {
    var hashing = RowHashing()
    hashing.combine(storage, into: &hasher)
  }
}

extension GraphQLList: SlotValue {
  public init?(__slot: RowSlot) {
    guard case .list(let list) = __slot.value else { return nil }
    storage = list
  }

  public var __slot: RowSlot { RowSlot(.list(storage)) }
}

extension GraphQLList: CustomStringConvertible, CustomReflectable {
  public var description: String { storage.shortened?.description ?? Array(self).description }
  public var customMirror: Mirror {
    storage.shortened.map { Mirror(self, unlabeledChildren: $0, displayStyle: .collection) }
      ?? Mirror(self, unlabeledChildren: self, displayStyle: .collection)
  }
}
