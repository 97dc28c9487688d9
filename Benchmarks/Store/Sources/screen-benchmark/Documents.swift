import RelayStore

// The documents of a news feed, one fragment for each view.

private let timeline = graphql(
  """
  query TimelineQuery($first: Int!) {
    timeline(first: $first) {
      edges { cursor node { __typename ...TimelineRow_item } }
      pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
    }
  }
  """)

private let row = graphql(
  """
  fragment TimelineRow_item on TimelineItem {
    ... on Article { id ...ArticleCard_article }
    ... on Picture { id ...PictureCard_picture }
    ... on Quote { id ...QuoteCard_quote }
  }
  """)

private let article = graphql(
  """
  fragment ArticleCard_article on Article {
    id
    headline
    text
    publishedAt
    author { ...Byline_author }
    likeCount
    isLiked
    status
    topics
    ...ReplyList_article
  }
  """)

private let picture = graphql(
  """
  fragment PictureCard_picture on Picture {
    id
    url
    width
    height
    caption
    author { ...Byline_author }
  }
  """)

private let quote = graphql(
  "fragment QuoteCard_quote on Quote { id remark quoted { ...ArticleCard_article } }")

private let author = graphql("fragment Byline_author on Author { handle name imageURL(size: 48) }")

private let replies = graphql(
  """
  fragment ReplyList_article on Article {
    replies(first: 3) { totalCount edges { node { id ...ReplyRow_reply } } }
  }
  """)

private let reply = graphql(
  "fragment ReplyRow_reply on Reply { id text author { ...Byline_author } }")

private let like = graphql(
  "mutation LikeMutation($id: ID!) { likeArticle(id: $id) { article { id likeCount isLiked } } }")

private let addReply = graphql(
  """
  mutation AddReplyMutation($article: ID!, $text: String!) {
    addReply(article: $article, text: $text) { article { id ...ReplyList_article } }
  }
  """)
