/// What is found by its name.
public protocol Named {
  /// The name.
  var symbol: Symbol { get }
}

/// A list in the order of the schema whose elements are found by name in constant time.
///
///     for field in type.fields { … }
///     let name = type.fields[named: symbol]
///
/// Where two elements have the same name the first is found.
public struct NamedList<Element: Named & Sendable>: Sendable, RandomAccessCollection {
  /// The elements, in the order of the schema.
  public let elements: [Element]
  private let index: SymbolIndex

  /// A list of elements.
  ///
  /// - Complexity: O(*n*).
  public init(_ elements: [Element]) {
    self.elements = elements
    index = SymbolIndex(count: elements.count) { elements[$0].symbol }
  }

  /// An empty list.
  public init() { self.init([]) }

  /// The element of a name, or `nil` when there is none.
  ///
  /// - Complexity: O(1).
  public subscript(named symbol: Symbol) -> Element? {
    position(of: symbol).map { elements[$0] }
  }

  /// The position of the element of a name, or `nil` when there is none.
  ///
  /// - Complexity: O(1).
  public func position(of symbol: Symbol) -> Int? {
    index.isEmpty
      ? elements.firstIndex { $0.symbol == symbol }
      : index.position(of: symbol)
  }

  /// The position of the first element: 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { elements.count }
  /// The element at a position.
  public subscript(position: Int) -> Element { elements[position] }
}
