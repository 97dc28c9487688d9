import GraphQLLanguage

/// The programs that code is generated from, each derived from another by pure passes:
///
///     documents ─ Lowering ─ ProvideVariables ─ ResolveArguments ─ Unmask ─▶ program
///     program ─ DropHandles ─ WrapSpreads ─ AddTypenames ─ Flatten ─ HandleErrors ─▶ reader
///     program without @updatable operations ─ DropAliases ─ DropClientFields ─ AddPageInfo ─ AddRefetchFields ─ ApplyArguments ─▶ applied
///     applied ─ WrapSpreads ─ AddIDs ─ AddTypenames ─ Flatten ─ DropFetched ─ AddDiscriminators ─▶ sent
///     applied ─ OpenSpreads ─ AddIDs ─ AddTypenames ─ Flatten ─ AddDiscriminators ─▶ normalization
///     program without @updatable operations ─ DropAliases ─ ApplyArguments ─ OpenSpreads ─ Flatten ─ KeepClientLinks ─▶ local
struct Pipeline {
  /// What structs read.
  let reader: IR.Program
  /// What the server is asked.
  let sent: IR.Program
  /// What is stored.
  let normalization: IR.Program
  /// What only the client knows and retaining an operation keeps.
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
    // Whatever is wrong was said of the others.
    var known: [Diagnostic] = []
    let applied = ApplyArguments.apply(
      to: DropAliases.apply(to: program.withoutUpdatables), diagnostics: &known)
    let opened = OpenSpreads.apply(to: applied, diagnostics: &known)
    return KeepClientLinks.apply(
      to: Flatten.apply(to: opened, repeatsImplied: true, opensSpreads: true, diagnostics: &known))
  }
}
