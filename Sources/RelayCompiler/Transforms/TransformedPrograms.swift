import GraphQLLanguage

/// The programs from which code is generated, each derived from another one by pure passes:
///
///     documents ─ Lowering ─ ProvideVariables ─ ResolveArguments ─ Unmask ─▶ program
///     program ─ DropHandles ─ WrapSpreads ─ AddTypenames ─ Flatten ─ HandleErrors ─▶ reader
///     program ─ withoutUpdatables ─ DropAliases ─▶ unaliased
///     unaliased ─ DropClientFields ─ AddPageInfo ─ AddRefetchFields ─ ApplyArguments ─▶ applied
///     applied ─ WrapSpreads ─ AddIDs ─ AddTypenames ─ Flatten ─▶ flat
///     flat ─ DropFetched ─ AddDiscriminators ─▶ sent
///     applied ─ OpenSpreads ─ AddIDs ─ AddTypenames ─ Flatten ─ AddDiscriminators ─▶ normalization
///     unaliased ─ ApplyArguments ─ OpenSpreads ─ Flatten ─ KeepClientLinks ─▶ local
struct TransformedPrograms {
  /// The selections that generated structs read: the source of reader plans.
  let reader: IR.Program
  /// The selections that are sent to the server: the source of operation texts.
  let sent: IR.Program
  /// The selections that the normalizer stores: the source of normalization plans.
  let normalization: IR.Program
  /// The client-only selections that a retained operation keeps alive; `nil` when there are none.
  let local: IR.Program?

  init(_ program: IR.Program, diagnostics: inout [Diagnostic]) {
    let resolved = ResolveArguments.apply(
      to: ProvideVariables.apply(to: program, diagnostics: &diagnostics))
    let program = Unmask.apply(to: resolved, diagnostics: &diagnostics)
    let read = AddTypenames.apply(
      to: WrapSpreads.apply(to: DropHandles.apply(to: program)), addsToFragments: true)
    reader = HandleErrors.apply(
      to: Flatten.apply(to: read, repeatsImplied: true, diagnostics: &diagnostics))
    let asked = AddRefetchFields.apply(
      to: AddPageInfo.apply(
        to: DropClientFields.apply(to: DropAliases.apply(to: program.withoutUpdatables))))
    let applied = ApplyArguments.apply(to: asked, diagnostics: &diagnostics)
    let masked = WrapSpreads.apply(to: applied)
    let identified = AddTypenames.apply(to: AddIDs.apply(to: masked), addsToFragments: false)
    let flat = Flatten.apply(to: identified, repeatsImplied: false, diagnostics: &diagnostics)
    sent = AddDiscriminators.apply(to: DropFetched.apply(to: flat))
    let opened = OpenSpreads.apply(to: applied, diagnostics: &diagnostics)
    let stored = AddTypenames.apply(to: AddIDs.apply(to: opened), addsToFragments: false)
    normalization = AddDiscriminators.apply(
      to: Flatten.apply(
        to: stored, repeatsImplied: true, opensSpreads: true, diagnostics: &diagnostics))
    local = Self.local(of: program)
  }

  private static func local(of program: IR.Program) -> IR.Program? {
    guard KeepClientLinks.isNeeded(by: program) else { return nil }
    // The other programs have reported all of these diagnostics.
    var known: [Diagnostic] = []
    let applied = ApplyArguments.apply(
      to: DropAliases.apply(to: program.withoutUpdatables), diagnostics: &known)
    let opened = OpenSpreads.apply(to: applied, diagnostics: &known)
    return KeepClientLinks.apply(
      to: Flatten.apply(to: opened, repeatsImplied: true, opensSpreads: true, diagnostics: &known))
  }
}
