/// A schema element that has a name.
public protocol NamedElement {
  /// The name.
  var symbol: Symbol { get }
}

/// A list in schema order with constant-time lookup by name.
///
///     for field in type.fields { … }
///     let name = type.fields[named: symbol]
///
/// If several elements have the same name, lookup finds the first one.
public struct NamedList<Element: NamedElement & Sendable>: Sendable, RandomAccessCollection {
  /// The elements, in schema order.
  public let elements: [Element]
  private let index: SymbolIndex

  /// Creates a list of elements.
  ///
  /// - Complexity: O(*n*).
  public init(_ elements: [Element]) {
    self.elements = elements
    index = SymbolIndex(count: elements.count) { elements[$0].symbol }
  }

  /// Creates an empty list.
  public init() { self.init([]) }

  /// The element named `symbol`, or `nil` if there is none.
  ///
  /// - Complexity: O(1).
  public subscript(named symbol: Symbol) -> Element? {
    position(of: symbol).map { elements[$0] }
  }

  /// Returns the position of the element named `symbol`, or `nil` if there is none.
  ///
  /// - Complexity: O(1).
  public func position(of symbol: Symbol) -> Int? {
    index.isEmpty
      ? elements.firstIndex { $0.symbol == symbol }
      : index.position(of: symbol)
  }

  /// The position of the first element: 0.
  public var startIndex: Int { 0 }
  /// The position past the last element: the number of elements.
  public var endIndex: Int { elements.count }
  /// The element at a position.
  public subscript(position: Int) -> Element { elements[position] }
}
