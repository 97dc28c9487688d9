import RelayStore

/// A way to show a fragment: reading it, observing it, or holding a model of it.
@MainActor
protocol Renderer {
  /// Shows a fragment, and returns its data.
  mutating func render<Fragment: GraphQLFragment>(_ reference: FragmentRef<Fragment>) -> Fragment?
  where Fragment.__Failure == Never
}

/// The number of fragments and scalars of a screen, and a checksum over the scalars.
struct Totals: Equatable {
  var fragments = 0
  var scalars = 0
  var checksum = 0

  mutating func add(_ value: String) {
    scalars += 1
    checksum &+= value.utf8.count
  }

  mutating func add(_ value: String?) { add(value ?? "") }

  mutating func add(_ value: Int) {
    scalars += 1
    checksum &+= value
  }

  mutating func add(_ value: Bool) { add(value ? 1 : 0) }
}

/// The screen: renders every fragment of the timeline, and reads every scalar once.
@MainActor
struct Screen<R: Renderer> {
  var renderer: R
  var totals = Totals()

  init(_ renderer: R) { self.renderer = renderer }

  private mutating func render<Fragment: GraphQLFragment>(
    _ reference: FragmentRef<Fragment>, _ body: (inout Self, Fragment) -> Void
  ) where Fragment.__Failure == Never {
    guard let fragment = renderer.render(reference) else { return }
    totals.fragments += 1
    body(&self, fragment)
  }

  mutating func show(_ data: TimelineQuery.Data?) {
    guard let timeline = data?.timeline else { return }
    totals.fragments += 1
    for edge in timeline.edges {
      totals.add(edge.cursor)
      totals.add(edge.node.__typename)
      render(edge.node.fragments.timelineRow_item) { $0.show($1) }
    }
    totals.add(timeline.pageInfo.startCursor)
    totals.add(timeline.pageInfo.endCursor)
    totals.add(timeline.pageInfo.hasNextPage)
    totals.add(timeline.pageInfo.hasPreviousPage)
  }

  private mutating func show(_ row: TimelineRow_item) {
    if let article = row.asArticle {
      totals.add(article.id)
      render(article.fragments.articleCard_article) { $0.show($1) }
    } else if let picture = row.asPicture {
      totals.add(picture.id)
      render(picture.fragments.pictureCard_picture) { $0.show($1) }
    } else if let quote = row.asQuote {
      totals.add(quote.id)
      render(quote.fragments.quoteCard_quote) { $0.show($1) }
    }
  }

  private mutating func show(_ article: ArticleCard_article) {
    totals.add(article.id)
    totals.add(article.headline)
    totals.add(article.text)
    totals.add(article.publishedAt)
    totals.add(article.likeCount)
    totals.add(article.isLiked)
    totals.add(article.status.rawValue)
    for topic in article.topics { totals.add(topic) }
    render(article.author.fragments.byline_author) { $0.show($1) }
    render(article.fragments.replyList_article) { $0.show($1) }
  }

  private mutating func show(_ list: ReplyList_article) {
    totals.add(list.replies.totalCount)
    for edge in list.replies.edges {
      totals.add(edge.node.id)
      render(edge.node.fragments.replyRow_reply) { $0.show($1) }
    }
  }

  private mutating func show(_ reply: ReplyRow_reply) {
    totals.add(reply.id)
    totals.add(reply.text)
    render(reply.author.fragments.byline_author) { $0.show($1) }
  }

  private mutating func show(_ picture: PictureCard_picture) {
    totals.add(picture.id)
    totals.add(picture.url)
    totals.add(picture.width)
    totals.add(picture.height)
    totals.add(picture.caption)
    render(picture.author.fragments.byline_author) { $0.show($1) }
  }

  private mutating func show(_ quote: QuoteCard_quote) {
    totals.add(quote.id)
    totals.add(quote.remark)
    render(quote.quoted.fragments.articleCard_article) { $0.show($1) }
  }

  private mutating func show(_ author: Byline_author) {
    totals.add(author.handle)
    totals.add(author.name)
    totals.add(author.imageURL)
  }
}
