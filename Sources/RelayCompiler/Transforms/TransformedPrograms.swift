import GraphQLLanguage

/// The programs that code is generated from. Each one is derived from another by pure passes:
///
///     documents ─ Lowering ─ ProvideVariables ─ ResolveArguments ─ Unmask ─▶ program
///     program ─ DropHandles ─ GuardDeferred ─ WrapSpreads ─ AddTypenames ─ Flatten ─▶ read
///     read ─ HandleErrors ─▶ reader
///     program ─ withoutUpdatables ─ DropReaderDirectives ─▶ unaliased
///     unaliased ─ DropClientFields ─ AddPageInfo ─ AddRefetchFields ─ ApplyArguments ─▶ copied
///     copied ─ MergeDeferrals ─▶ applied
///     applied ─ WrapSpreads ─ AddIDs ─ AddTypenames ─ Flatten ─▶ flat
///     flat ─ DropRedundantSelections ─ AddDiscriminators ─ NameRepeatedParts ─▶ sent
///     applied ─ GuardDeferred ─ ExpandSpreads ─ AddIDs ─ AddTypenames ─ Flatten ─▶ expanded
///     expanded ─ AddDiscriminators ─▶ normalization
///     unaliased ─ ApplyArguments ─ ExpandSpreads ─ Flatten ─ KeepClientOnlyLinks ─▶ clientOnly
package struct TransformedPrograms {
  /// The selections that generated structs read: the source of reader plans.
  package let reader: IR.Program
  /// The selections that are sent to the server: the source of operation texts.
  package let sent: IR.Program
  /// The selections that the normalizer writes to the store: the source of normalization plans.
  package let normalization: IR.Program
  /// The client-only selections that a retained operation keeps alive; `nil` when there are none.
  let clientOnly: IR.Program?

  init(_ program: IR.Program, diagnostics: inout [Diagnostic]) {
    let resolved = ResolveArguments.apply(
      to: ProvideVariables.apply(to: program, diagnostics: &diagnostics))
    let program = Unmask.apply(to: resolved, diagnostics: &diagnostics)
    let guarded = GuardDeferred.apply(to: DropHandles.apply(to: program))
    let read = AddTypenames.apply(to: WrapSpreads.apply(to: guarded), addsToFragments: true)
    reader = HandleErrors.apply(
      to: Flatten.apply(to: read, for: .plan, diagnostics: &diagnostics))
    let selected = AddRefetchFields.apply(
      to: AddPageInfo.apply(
        to: DropClientFields.apply(to: DropReaderDirectives.apply(to: program.withoutUpdatables))))
    let applied = MergeDeferrals.apply(
      to: ApplyArguments.apply(to: selected, diagnostics: &diagnostics))
    var sent = Self.sent(applied, diagnostics: &diagnostics)
    var normalization = Self.normalization(applied, diagnostics: &diagnostics)
    Self.resolveKeyConflicts(of: applied, in: &sent, &normalization)
    self.sent = sent
    self.normalization = normalization
    clientOnly = Self.clientOnly(of: program)
  }

  private static func sent(
    _ applied: IR.Program, aliasing conflicts: Set<KeyConflicts.Field> = [],
    diagnostics: inout [Diagnostic]
  ) -> IR.Program {
    let masked = WrapSpreads.apply(to: applied)
    let identified = AddTypenames.apply(
      to: AddIDs.apply(to: masked, aliasing: conflicts), addsToFragments: false)
    let flat = Flatten.apply(to: identified, for: .text, diagnostics: &diagnostics)
    return NameRepeatedParts.apply(
      to: AddDiscriminators.apply(to: DropRedundantSelections.apply(to: flat)))
  }

  private static func normalization(
    _ applied: IR.Program, aliasing conflicts: Set<KeyConflicts.Field> = [],
    diagnostics: inout [Diagnostic]
  ) -> IR.Program {
    let expanded = ExpandSpreads.apply(
      to: GuardDeferred.apply(to: applied), diagnostics: &diagnostics)
    let stored = AddTypenames.apply(
      to: AddIDs.apply(to: expanded, aliasing: conflicts), addsToFragments: false)
    return AddDiscriminators.apply(
      to: Flatten.apply(
        to: stored, for: .normalization, expandsSpreads: true, diagnostics: &diagnostics))
  }

  /// Transforms operations again if a server would reject their texts because of the fields that
  /// ``AddIDs`` adds. Their texts get separate copies of the fragments.
  private static func resolveKeyConflicts(
    of applied: IR.Program, in sent: inout IR.Program, _ normalization: inout IR.Program
  ) {
    let search = KeyConflicts(sent: sent)
    if !search.isNeeded { return }
    // Operations that are too large have no normalization program and are not searched.
    let indexes = Dictionary(
      normalization.operations.enumerated().map { ($0.element.name.symbol, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    for (position, operation) in sent.operations.enumerated() {
      guard let index = indexes[operation.name.symbol] else { continue }
      let conflicts = search.conflicts(in: operation)
      guard !conflicts.isEmpty, let part = applied.withCopies(for: operation.name.symbol) else {
        continue
      }
      // The first transformation has already reported these diagnostics.
      var ignored: [Diagnostic] = []
      let stored = Self.normalization(part, aliasing: conflicts, diagnostics: &ignored)
      let text = Self.sent(part, aliasing: conflicts, diagnostics: &ignored)
      guard let newStored = stored.operations.first, let newText = text.operations.first else {
        continue
      }
      normalization.operations[index] = newStored
      sent.operations[position] = newText
      sent.fragments += text.fragments
    }
  }

  private static func clientOnly(of program: IR.Program) -> IR.Program? {
    guard KeepClientOnlyLinks.isNeeded(by: program) else { return nil }
    // The other programs have already reported all of these diagnostics.
    var ignored: [Diagnostic] = []
    let applied = ApplyArguments.apply(
      to: DropReaderDirectives.apply(to: program.withoutUpdatables), diagnostics: &ignored)
    let expanded = ExpandSpreads.apply(to: applied, diagnostics: &ignored)
    return KeepClientOnlyLinks.apply(
      to: Flatten.apply(
        to: expanded, for: .plan, expandsSpreads: true, diagnostics: &ignored))
  }
}

extension IR.Program {
  /// Returns an operation with separately named copies of the fragments it needs.
  fileprivate func withCopies(for operation: Symbol) -> IR.Program? {
    guard let found = operations.first(where: { $0.name.symbol == operation }) else { return nil }
    let dependencies = SelectionDependencies(found.selections)
    let needed = FragmentDependencyOrder(self, from: dependencies.spreads).fragments
    var taken = Set(fragments.map(\.name))
    var names: [Symbol: Symbol] = [:]
    for fragment in needed {
      var text = symbols[fragment.name] + "_" + symbols[operation]
      while !taken.insert(symbols.intern(text)).inserted { text += "_" }
      names[fragment.name] = symbols.intern(text)
    }
    var program = self
    program.operations = [found]
    program.fragments = needed.map { fragment in
      var copy = fragment
      copy.name = names[fragment.name] ?? fragment.name
      return copy
    }
    return program.replacingSelections { selection, _ in
      guard case .spread(var spread) = selection.content else { return nil }
      spread.name = names[spread.name] ?? spread.name
      return selection.with(.spread(spread))
    }
  }
}
