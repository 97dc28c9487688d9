import RelayStore
import Testing

/// Tests on the main actor, where jobs run in the order of their creation: once a later task has
/// run, an earlier one is waiting.
@MainActor @Suite(.timeLimit(.minutes(1))) struct MailboxTests {
  private let mailbox = Mailbox<RowSnapshot>()

  private func deliver(_ name: String, revision: UInt64) {
    var snapshot = RowSnapshot()
    snapshot.row = User_name(id: "u", name: name).__row.box
    snapshot.revision = revision
    mailbox.deliver(snapshot)
  }

  private func waiting() async -> Task<UInt64?, Never> {
    let task = Task { await mailbox.next(isolation: MainActor.shared)?.revision }
    await Task {}.value
    return task
  }

  @Test("two tasks waiting for one mailbox each receive a snapshot")
  func twoTasks() async {
    let (one, two) = (await waiting(), await waiting())
    deliver("a", revision: 1)
    deliver("b", revision: 2)
    #expect(await one.value == 1)
    #expect(await two.value == 2)
  }

  @Test("closing the mailbox ends the wait of every task")
  func closing() async {
    let (one, two) = (await waiting(), await waiting())
    mailbox.close()
    #expect(await one.value == nil)
    #expect(await two.value == nil)
    deliver("late", revision: 1)
    #expect(await mailbox.next(isolation: nil)?.revision == nil)
  }

  @Test("an older snapshot is never delivered after a newer one")
  func order() async {
    deliver("new", revision: 2)
    deliver("old", revision: 1)
    #expect(await mailbox.next(isolation: nil)?.revision == 2)
    let next = await waiting()
    deliver("old", revision: 1)
    deliver("newer", revision: 3)
    #expect(await next.value == 3)
  }

  @Test("a change that is undone before the consumer reads it is not delivered")
  func undoneChange() async {
    deliver("a", revision: 1)
    #expect(await mailbox.next(isolation: nil)?.revision == 1)
    deliver("b", revision: 2)
    deliver("a", revision: 3)
    let next = await waiting()
    deliver("c", revision: 4)
    #expect(await next.value == 4)
  }
}
