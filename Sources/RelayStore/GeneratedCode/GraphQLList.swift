/// A list in a snapshot.
///
/// A random-access collection over shared storage: copying costs one retain regardless of length,
/// and elements are created on access.
public struct GraphQLList<Element: RowValue>: Sendable {
  @usableFromInline package let buffer: ListBuffer

  /// Creates a list of these elements.
  public init(_ elements: some Sequence<Element>) {
    buffer = ListBuffer(elements.map { RowSlot(of: $0) })
  }
}

extension GraphQLList: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { buffer.count }

  /// Accesses the element at a position.
  ///
  /// - Complexity: O(1).
  @inlinable
  public subscript(position: Int) -> Element {
    Self.element(buffer[position])
  }
}

extension GraphQLList {
  /// An iterator that reads the list chunk by chunk.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var chunks: ContiguousArray<ListChunk>.Iterator
    @usableFromInline var slots: ContiguousArray<RowSlot>.Iterator

    @usableFromInline init(_ list: GraphQLList) {
      chunks = list.buffer.chunks.makeIterator()
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
    // Only a struct over a row, or an optional one, is read from a slot that holds a row. The
    // reader ensures this, because it fills lists according to the plan from relay-compiler. Such a
    // struct has the row's layout, because the row is its only stored property (see `GraphQLView`).
    // A `GraphQLCases` enum may have the same size, but its lists are only passed to initializers,
    // never read.
    if MemoryLayout<Element>.size == MemoryLayout<Row>.size, let row = slot.row {
      return unsafeBitCast(Row(row), to: Element.self)
    }
    guard let element = Element(__slot: slot) else { mismatch() }
    return element
  }

  /// Traps because generated code and its plan disagree. A server cannot cause this: the reader
  /// puts only elements of the planned type into a list.
  @usableFromInline static func mismatch() -> Never {
    preconditionFailure("A list element is not of type \(Element.self); run relay-compiler again.")
  }
}

extension GraphQLList: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension GraphQLList: Hashable {
  public static func == (left: GraphQLList, right: GraphQLList) -> Bool {
    var comparison = RowComparison()
    return comparison.areEqual(left.buffer, right.buffer)
  }

  public func hash(into hasher: inout Hasher) {
    var hashing = RowHashing()
    hashing.combine(buffer, into: &hasher)
  }
}

extension GraphQLList: SlotValue {
  public init?(__slot: RowSlot) {
    guard case .list(let list) = __slot.value else { return nil }
    buffer = list
  }

  public var __slot: RowSlot { RowSlot(.list(buffer)) }
}

extension GraphQLList: CustomStringConvertible, CustomReflectable {
  public var description: String { buffer.shortened?.description ?? Array(self).description }
  public var customMirror: Mirror {
    buffer.shortened.map { Mirror(self, unlabeledChildren: $0, displayStyle: .collection) }
      ?? Mirror(self, unlabeledChildren: self, displayStyle: .collection)
  }
}
