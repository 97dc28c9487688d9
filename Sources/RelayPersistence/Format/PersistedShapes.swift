import RelayStore

/// The numbers of the shapes of persisted records.
struct PersistedShapes {
  /// A shape, with names represented by their numbers.
  struct Shape {
    let typeName: UInt32?
    let keys: [UInt32]
  }

  /// The persisted form of each number; `nil` for a free number.
  private var shapes: [Shape?] = []
  private var freeNumbers: [Int] = []
  /// The number of each of the store's shapes. An entry retains its shape, so that the object
  /// identifier is not reused.
  private var numbers: [ObjectIdentifier: (shape: RecordShape, number: Int)] = [:]
  private var changedRows: Set<Int> = []
  /// The number of shapes in a row.
  private static let rowSize = 32
  /// The number of fields above which a record has its own shape.
  private static let fieldLimit = 48

  init() {}

  /// Creates the table of loaded shapes.
  ///
  /// - Parameters:
  ///   - loaded: The persisted form of each number.
  ///   - shapes: The store's shape for each number in use. A shape persisted with a different field
  ///     order gets a new number when it is used again.
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

  /// Returns the number of a shape; `nil` if records do not share it.
  mutating func number(of shape: RecordShape, names: inout PersistedNames) -> Int? {
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

  /// Returns the rows changed since the last call.
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

  /// Decodes a row and appends its shapes, with `nil` for a free number.
  ///
  /// - Returns: `false` if the row is damaged or an earlier row is missing.
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
