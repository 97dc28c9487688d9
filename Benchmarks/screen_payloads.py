"""Writes the payloads of the screen benchmark: a news feed of articles, pictures and quotes.

The feed has 200 authors of two types behind an interface. Of ten items seven are articles with
three replies each, two are quotes of articles, and one is a picture; every second quote is of an
article of the same feed. Half of the strings are ASCII with escapes (\\u00e9), the others are UTF-8.
Everything is chosen with a fixed seed.
"""

import collections
import copy
import json
import os
import random

SEED = 20261123
AUTHORS = 200
SIZES = (10, 50, 1_000)
WORDS = (
    "river market council letter garden winter museum harbour election orchestra village station the to from with "
    "after before over under which summit bridge weather editor reporter archive deadline Malmö Québec Curaçao "
    "façade jalapeño Łódź 東京都 новости αρχείο printing morning evening column question answer"
).split()
PICTOGRAMS = ["📰", "🌦️", "👩‍🚀", "🏛️", "⚽"]


class Feed:
    """The items of the feed, each the same however many items a payload has."""

    def __init__(self):
        self.random = random.Random(SEED)
        self.articles = {}
        self.items = [self.item(index) for index in range(max(SIZES))]

    def text(self, shortest, longest, is_rich=True):
        """Returns words of about `shortest` to `longest` characters; rich text has quotation marks,
        line ends and emoji."""
        length, words, size = self.random.randint(shortest, longest), [], 0
        while size < length:
            word, kind = self.random.choice(WORDS), self.random.random()
            if is_rich and kind < 0.05:
                word = f'"{word}"' if kind < 0.03 else word + "\n"
            elif is_rich and kind < 0.07:
                word = self.random.choice(PICTOGRAMS)
            words.append(word)
            size += len(word) + 1
        return " ".join(words)[:longest]

    def author(self, index=None):
        index = self.random.randrange(AUTHORS) if index is None else index
        kind = "Team" if index % 5 == 2 else "Person"
        name = None if index % 7 == 5 else f"Señor Redactor {index}" if index % 3 == 1 else f"Senior Editor {index}"
        return {
            "__typename": kind, "id": f"{kind}:{index}", "handle": f"author{index}", "name": name,
            "imageURL": f"https://images.example.com/authors/{index * 6_421}.png?width=48&quality=80",
        }

    def reply(self, id):
        return {"node": {"id": f"Reply:{id}", "text": self.text(45, 165), "author": self.author()}}

    def article(self, index):
        """Returns a copy of an article, so that a change to one occurrence is not one to all."""
        if index not in self.articles:
            self.articles[index] = {
                "id": f"Article:{index}", "headline": self.text(22, 72, is_rich=False), "text": self.text(210, 600),
                "publishedAt": f"2026-{1 + index % 12:02d}-{1 + index % 28:02d}T{index % 24:02d}:{index % 60:02d}:00Z",
                "author": self.author(), "likeCount": self.random.randrange(9_000), "isLiked": index % 4 == 1,
                "status": ("PUBLIC", "PUBLIC", "CLOSED", "DRAFT")[index % 4],
                "topics": self.random.choices(WORDS, k=self.random.randint(1, 4)),
                "replies": {
                    "totalCount": self.random.randint(3, 120),
                    "edges": [self.reply(f"{index}.{position}") for position in range(3)],
                },
            }
        return copy.deepcopy(self.articles[index])

    def item(self, index):
        match index % 10:
            case 3:
                return {
                    "__typename": "Picture", "id": f"Picture:{index}", "url": f"https://images.example.com/pictures/{index:08d}.jpg",
                    "width": 1_200 + index, "height": 800 + index,
                    "caption": None if index % 2 == 0 else self.text(25, 125), "author": self.author(),
                }
            case 4 | 9:
                quoted = index - 2 if index % 2 == 0 else 500_000 + index
                return {
                    "__typename": "Quote", "id": f"Quote:{index}", "remark": self.text(12, 105),
                    "quoted": self.article(quoted),
                }
            case _:
                return {"__typename": "Article", **self.article(index)}

    def payload(self, count):
        edges = [{"cursor": f"b2Zmc2V0OjAwMDAw{index:08d}", "node": node} for index, node in enumerate(self.items[:count])]
        info = {"startCursor": edges[0]["cursor"], "endCursor": edges[-1]["cursor"], "hasNextPage": True, "hasPreviousPage": False}
        return copy.deepcopy({"timeline": {"edges": edges, "pageInfo": info}})

    def likes(self, articles, cards):
        """Returns 100 likes; every second response has another count than the optimistic one, which
        is a second delivery to each card of the article."""
        likes, counts = [], {article["id"]: article["likeCount"] for article in articles}
        for index in range(100):
            id = articles[index * 11 % len(articles)]["id"]
            optimistic = counts[id] + 1
            counts[id] = optimistic + index % 2 * 2
            changed = {"id": id, "likeCount": counts[id], "isLiked": True}
            response = {"data": {"likeArticle": {"article": changed}}}
            deliveries = cards[id] * (1 + index % 2)
            likes.append({"article": id, "likeCount": optimistic, "response": encoded(response), "deliveries": deliveries})
        return likes

    def replies(self, articles, cards):
        """Returns up to 100 new replies, each to another article; the response has the new list."""
        replies = []
        for index, article in enumerate(articles[:100]):
            text = self.text(45, 165)
            new = {"node": {"id": f"Reply:new{index}", "text": text, "author": self.author(index % AUTHORS)}}
            connection = article["replies"]
            changed = {
                "id": article["id"],
                "replies": {"totalCount": connection["totalCount"] + 1, "edges": [new, *connection["edges"][:2]]},
            }
            response = {"data": {"addReply": {"article": changed}}}
            deliveries = cards[article["id"]]
            replies.append({"article": article["id"], "text": text, "response": encoded(response), "deliveries": deliveries})
        return replies


def encoded(value, indent=None, depth=0):
    """Returns JSON in which strings of even length are ASCII with escapes."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=len(value) % 2 == 0)
    if isinstance(value, dict):
        colon = ": " if indent else ":"
        members = [json.dumps(key) + colon + encoded(member, indent, depth + 1) for key, member in value.items()]
        brackets = "{}"
    elif isinstance(value, list):
        members, brackets = [encoded(element, indent, depth + 1) for element in value], "[]"
    else:
        return json.dumps(value)
    if not indent or not members:
        return brackets[0] + ",".join(members) + brackets[1]
    line = "\n" + " " * indent * depth
    inner = line + " " * indent
    return brackets[0] + inner + ("," + inner).join(members) + line + brackets[1]


def reordered(value, order):
    """Returns a value with the members of each object in another order."""
    if isinstance(value, dict):
        return {key: reordered(value[key], order) for key in order(list(value))}
    return [reordered(element, order) for element in value] if isinstance(value, list) else value


def edited(payload):
    """Returns a payload in which an article that is quoted too, a picture and a reply have changed."""
    payload = copy.deepcopy(payload)
    for edge in payload["timeline"]["edges"]:
        node = edge["node"]
        article = node.get("quoted", node)
        if article["id"] == "Article:2":
            article["headline"] += " (corrected)"
            article["likeCount"] += 1
        elif article["id"] == "Picture:3":
            article["caption"] = (article["caption"] or "") + " – cropped"
        elif article["id"] == "Article:6":
            article["replies"]["edges"][1]["node"]["text"] += " “Edited.”"
    return payload


def write(folder):
    """Writes the payloads of each size; returns the number of bytes of each, and the share of bytes
    that belong to escapes."""
    feed, sizes = Feed(), {}

    def shuffled(keys):
        feed.random.shuffle(keys)
        return keys

    def save(name, text):
        with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
            file.write(text)

    for count in SIZES:
        payload = feed.payload(count)
        text = encoded(payload)
        assert json.loads(text) == payload
        escapes = 6 * text.count("\\u") + 2 * (text.count("\\n") + text.count('\\"'))
        sizes[count] = (len(text.encode()), escapes / len(text.encode()))
        save(f"selected-{count}", text)
        save(f"sorted-{count}", encoded(reordered(payload, sorted)))
        save(f"shuffled-{count}", encoded(reordered(payload, shuffled)))
        save(f"pretty-{count}", encoded(payload, indent=2))
        save(f"changed-{count}", encoded(edited(payload)))
        items = feed.items[:count]
        articles = [item for item in items if item["__typename"] == "Article"]
        cards = collections.Counter(item.get("quoted", item)["id"] for item in items)
        save(f"likes-{count}", json.dumps(feed.likes(articles, cards)))
        save(f"replies-{count}", json.dumps(feed.replies(articles, cards)))
    return sizes
