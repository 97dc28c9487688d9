import RelayStore
import Testing

@Suite("Pending parts", .timeLimit(.minutes(1)))
struct PendingPartTests {
  @Test(
    "a label has an owner and a name, and what distinguishes equal ones is dropped",
    arguments: [
      ("Profile$defer$Photos", "Profile", "Photos"),
      ("Profile$stream$friends", "Profile", "friends"),
      ("Profile:1x9z$defer$Photos", "Profile", "Photos"),
      ("Profile.2$defer$Photos", "Profile", "Photos"),
      ("Profile.2:1x9z_$defer$Photos", "Profile", "Photos"),
      ("Profile$defer$a:b.2$c", "Profile", "a:b.2$c"), ("Profile$defer$", "Profile", ""),
      ("photos:2", "", "photos:2"), ("", "", ""),
    ])
  func label(_ label: String, _ owner: String, _ name: String) {
    #expect(PendingPart(qualifiedLabel: label) == PendingPart(owner: owner, label: name))
  }
}
