import RelayStore

/// The numbers of the shapes of stored records, as they are encoded.
struct StoredShapes {
  /// A shape by the numbers of its names.
  struct Shape {
    let typeName: UInt32?
    let keys: [UInt32]
  }

  /// The stored form of each number; `nil` for a number that is free.
  private var shapes: [Shape?] = []
  private var freeNumbers: [Int] = []
  /// The number of each shape of the store. An entry retains its shape, so that the identity is not
  /// reused.
  private var numbers: [ObjectIdentifier: (shape: RecordShape, number: Int)] = [:]
  private var changedRows: Set<Int> = []
  /// The number of shapes in a row.
  private static let rowSize = 32
  /// The number of fields above which a record has a shape of its own.
  private static let fieldLimit = 48

  init() {}

  /// Creates the shapes that were loaded.
  ///
  /// - Parameters:
  ///   - loaded: The stored form of each number.
  ///   - shapes: The store's shape for each number that records use. A shape whose fields were stored
  ///     in another order is stored under a new number when it is used again.
  init(_ loaded: [Shape?], shapes: [RecordDecoder.Shape?]) {
    for (number, (loaded, shape)) in zip(loaded, shapes).enumerated() {
      if let shape {
        self.shapes.append(loaded)
        if shape.positions == nil {
          numbers[ObjectIdentifier(shape.shape)] = (shape.shape, number)
        }
      } else {
        self.shapes.append(nil)
        freeNumbers.append(number)
        if loaded != nil { changedRows.insert(number / Self.rowSize) }
      }
    }
    freeNumbers.reverse()
  }

  /// Returns the number of a shape; `nil` if it is not shared by records.
  mutating func number(of shape: RecordShape, names: inout StoredNames) -> Int? {
    if shape.keys.count > Self.fieldLimit { return nil }
    if let known = numbers[ObjectIdentifier(shape)] { return known.number }
    let stored = Shape(
      typeName: shape.typeName.map { names.number(of: $0) },
      keys: shape.keys.map { names.number(of: $0) })
    let number = freeNumbers.popLast() ?? shapes.count
    if number == shapes.count { shapes.append(stored) } else { shapes[number] = stored }
    numbers[ObjectIdentifier(shape)] = (shape, number)
    changedRows.insert(number / Self.rowSize)
    return number
  }

  /// Returns the rows that have changed since the last call.
  mutating func drainRows() -> [(key: RowKey, bytes: [UInt8]?)] {
    defer { changedRows = [] }
    return changedRows.sorted().map { row in
      var writer = ByteWriter()
      let shapes = shapes[row * Self.rowSize..<min(shapes.count, (row + 1) * Self.rowSize)]
      writer.number(shapes.count)
      for shape in shapes {
        // 0: free; 1: no type; 2: the number of the type's name follows.
        writer.byte(shape == nil ? 0 : shape?.typeName == nil ? 1 : 2)
        guard let shape else { continue }
        if let typeName = shape.typeName { writer.number(typeName) }
        writer.number(shape.keys.count)
        for key in shape.keys { writer.number(key) }
      }
      return (RowKey(.shapes, Int64(row)), writer.bytes)
    }
  }

  /// Decodes a row and appends its shapes; `nil` for a number that is free.
  ///
  /// - Returns: `false` if it is damaged, or a row before it is missing.
  static func load(_ reader: inout ByteReader, row: Int64, into shapes: inout [Shape?]) -> Bool {
    guard row == shapes.count / rowSize, shapes.count % rowSize == 0 else { return false }
    let count = reader.count()
    guard count <= rowSize else { return false }
    for _ in 0..<count {
      let kind = reader.byte()
      guard kind <= 2 else { return false }
      let typeName = kind == 2 ? reader.number32() : nil
      shapes.append(
        kind == 0
          ? nil
          : Shape(typeName: typeName, keys: (0..<reader.count()).map { _ in reader.number32() }))
    }
    return reader.isValid
  }
}
