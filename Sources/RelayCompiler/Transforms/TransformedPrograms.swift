import GraphQLLanguage

/// The programs from which code is generated, each derived from another one by pure passes:
///
///     documents ─ Lowering ─ ProvideVariables ─ ResolveArguments ─ Unmask ─▶ program
///     program ─ DropHandles ─ GuardDeferred ─ WrapSpreads ─ AddTypenames ─ Flatten ─▶ read
///     read ─ HandleErrors ─▶ reader
///     program ─ withoutUpdatables ─ DropAliases ─▶ unaliased
///     unaliased ─ DropClientFields ─ AddPageInfo ─ AddRefetchFields ─ ApplyArguments ─▶ copied
///     copied ─ MergeDeferrals ─▶ applied
///     applied ─ WrapSpreads ─ AddIDs ─ AddTypenames ─ Flatten ─▶ flat
///     flat ─ DropRedundantSelections ─ AddDiscriminators ─ NameRepeatedParts ─▶ sent
///     applied ─ GuardDeferred ─ ExpandSpreads ─ AddIDs ─ AddTypenames ─ Flatten ─▶ expanded
///     expanded ─ AddDiscriminators ─▶ normalization
///     unaliased ─ ApplyArguments ─ ExpandSpreads ─ Flatten ─ KeepClientOnlyLinks ─▶ clientOnly
struct TransformedPrograms {
  /// The selections that generated structs read: the source of reader plans.
  let reader: IR.Program
  /// The selections that are sent to the server: the source of operation texts.
  let sent: IR.Program
  /// The selections that the normalizer stores: the source of normalization plans.
  let normalization: IR.Program
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
        to: DropClientFields.apply(to: DropAliases.apply(to: program.withoutUpdatables))))
    let applied = MergeDeferrals.apply(
      to: ApplyArguments.apply(to: selected, diagnostics: &diagnostics))
    let masked = WrapSpreads.apply(to: applied)
    let identified = AddTypenames.apply(to: AddIDs.apply(to: masked), addsToFragments: false)
    let flat = Flatten.apply(to: identified, for: .text, diagnostics: &diagnostics)
    sent = NameRepeatedParts.apply(
      to: AddDiscriminators.apply(to: DropRedundantSelections.apply(to: flat)))
    let expanded = ExpandSpreads.apply(
      to: GuardDeferred.apply(to: applied), diagnostics: &diagnostics)
    let stored = AddTypenames.apply(to: AddIDs.apply(to: expanded), addsToFragments: false)
    normalization = AddDiscriminators.apply(
      to: Flatten.apply(
        to: stored, for: .normalization, expandsSpreads: true, diagnostics: &diagnostics))
    clientOnly = Self.clientOnly(of: program)
  }

  private static func clientOnly(of program: IR.Program) -> IR.Program? {
    guard KeepClientOnlyLinks.isNeeded(by: program) else { return nil }
    // The other programs have reported all of these diagnostics.
    var ignored: [Diagnostic] = []
    let applied = ApplyArguments.apply(
      to: DropAliases.apply(to: program.withoutUpdatables), diagnostics: &ignored)
    let expanded = ExpandSpreads.apply(to: applied, diagnostics: &ignored)
    return KeepClientOnlyLinks.apply(
      to: Flatten.apply(
        to: expanded, for: .plan, expandsSpreads: true, diagnostics: &ignored))
  }
}
