// Checks how two writes to one entity are coalesced: the table of all pairs, and that the result
// has the same effect on any entity as both writes in order.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "support/log_writes.h"
#include "write/entity_write.h"

namespace aztables {
namespace {

using support::WriteOf;

constexpr const char* kNames[] = {"Nothing", "Insert", "Ignore",  "Upsert",
                                  "UpMerge", "Merge",  "Replace", "Delete"};

// "Merge[e1] a=1 b=2"
std::string Show(const EntityWrite& write) {
  std::string text = kNames[static_cast<size_t>(write.verb)];
  if (!write.if_match.empty()) text += "[" + write.if_match + "]";
  EntityReader reader;
  if (write.properties.empty()) return text;
  const auto properties = reader.All(write.properties);
  EXPECT_TRUE(properties.ok());
  for (const Property& property : *properties) {
    text += " " + property.name + "=" + std::to_string(property.value.integer);
  }
  return text;
}

EntityWrite Make(WriteVerb verb, const std::string& if_match, int a, int b) {
  std::vector<Property> properties;
  if (a > 0) properties.push_back({"a", Value::Int32(a)});
  if (b > 0) properties.push_back({"b", Value::Int32(b)});
  if (verb == WriteVerb::kNothing) return {};
  return WriteOf(verb, properties, if_match);
}

bool HasCondition(WriteVerb verb) { return verb >= WriteVerb::kMerge; }

TEST(CoalesceTest, AllPairs) {
  using V = WriteVerb;
  const struct {  // NOLINT(clang-analyzer-optin.performance.Padding): read as a table
    V before;
    const char* condition;
    V next;
    const char* next_condition;
    const char* merged;
  } pairs[] = {
      {V::kNothing, "", V::kInsert, "", "Insert a=2"},
      {V::kNothing, "", V::kMerge, "e2", "Merge[e2] a=2"},
      {V::kNothing, "", V::kDelete, "e2", "Delete[e2]"},
      {V::kNothing, "", V::kMerge, "", "Nothing"},
      {V::kNothing, "", V::kReplace, "", "Nothing"},
      {V::kNothing, "", V::kDelete, "", "Nothing"},
      {V::kInsert, "", V::kInsert, "", "Insert a=2"},
      {V::kInsert, "", V::kInsertOrIgnore, "", "Insert a=1 b=1"},
      {V::kInsert, "", V::kInsertOrReplace, "", "Insert a=2"},
      {V::kInsert, "", V::kInsertOrMerge, "", "Insert a=2 b=1"},
      {V::kInsert, "", V::kMerge, "", "Insert a=2 b=1"},
      {V::kInsert, "", V::kReplace, "", "Insert a=2"},
      {V::kInsert, "", V::kDelete, "", "Nothing"},
      {V::kInsert, "", V::kMerge, "e2", "Insert a=2 b=1"},
      {V::kInsert, "", V::kReplace, "e2", "Insert a=2"},
      {V::kInsert, "", V::kDelete, "e2", "Insert a=1 b=1"},
      {V::kInsert, "", V::kDelete, "*", "Insert a=1 b=1"},
      {V::kInsertOrIgnore, "", V::kInsertOrIgnore, "", "Ignore a=1 b=1"},
      {V::kInsertOrIgnore, "", V::kInsertOrReplace, "", "Upsert a=2"},
      {V::kInsertOrIgnore, "", V::kInsertOrMerge, "", "Insert a=2 b=1"},
      {V::kInsertOrIgnore, "", V::kMerge, "", "Insert a=2 b=1"},
      {V::kInsertOrIgnore, "", V::kMerge, "e2", "Merge[e2] a=2"},
      {V::kInsertOrIgnore, "", V::kReplace, "e2", "Replace[e2] a=2"},
      {V::kInsertOrIgnore, "", V::kDelete, "", "Nothing"},
      {V::kInsertOrIgnore, "", V::kDelete, "e2", "Delete[e2]"},
      {V::kInsertOrReplace, "", V::kInsertOrReplace, "", "Upsert a=2"},
      {V::kInsertOrReplace, "", V::kInsertOrIgnore, "", "Upsert a=1 b=1"},
      {V::kInsertOrReplace, "", V::kInsertOrMerge, "", "Upsert a=2 b=1"},
      {V::kInsertOrReplace, "", V::kMerge, "e2", "Upsert a=2 b=1"},
      {V::kInsertOrReplace, "", V::kReplace, "e2", "Upsert a=2"},
      {V::kInsertOrReplace, "", V::kDelete, "e2", "Delete[*]"},
      {V::kInsertOrMerge, "", V::kInsertOrReplace, "", "Upsert a=2"},
      {V::kInsertOrMerge, "", V::kInsertOrMerge, "", "UpMerge a=2 b=1"},
      {V::kInsertOrMerge, "", V::kMerge, "", "UpMerge a=2 b=1"},
      {V::kInsertOrMerge, "", V::kMerge, "e2", "Merge[e2] a=2 b=1"},
      {V::kInsertOrMerge, "", V::kReplace, "e2", "Replace[e2] a=2"},
      {V::kInsertOrMerge, "", V::kDelete, "", "Delete[*]"},
      {V::kInsertOrMerge, "", V::kDelete, "e2", "Delete[e2]"},
      {V::kMerge, "e1", V::kInsertOrReplace, "", "Replace[e1] a=2"},
      {V::kMerge, "e1", V::kInsertOrMerge, "", "Merge[e1] a=2 b=1"},
      {V::kMerge, "e1", V::kInsertOrIgnore, "", "Merge[e1] a=1 b=1"},
      {V::kMerge, "e1", V::kMerge, "e2", "Merge[e1] a=2 b=1"},
      {V::kMerge, "*", V::kMerge, "e2", "Merge[e2] a=2 b=1"},
      {V::kMerge, "e1", V::kMerge, "*", "Merge[e1] a=2 b=1"},
      {V::kMerge, "e1", V::kReplace, "e2", "Replace[e1] a=2"},
      {V::kMerge, "e1", V::kDelete, "e2", "Delete[e1]"},
      {V::kReplace, "e1", V::kInsertOrReplace, "", "Replace[e1] a=2"},
      {V::kReplace, "e1", V::kInsertOrMerge, "", "Replace[e1] a=2 b=1"},
      {V::kReplace, "e1", V::kMerge, "e1", "Replace[e1] a=2 b=1"},
      {V::kReplace, "*", V::kDelete, "e2", "Delete[e2]"},
      {V::kDelete, "e1", V::kInsert, "", "Replace[e1] a=2"},
      {V::kDelete, "e1", V::kInsertOrIgnore, "", "Replace[e1] a=2"},
      {V::kDelete, "e1", V::kInsertOrReplace, "", "Replace[e1] a=2"},
      {V::kDelete, "e1", V::kInsertOrMerge, "", "Replace[e1] a=2"},
      {V::kDelete, "*", V::kInsert, "", "Upsert a=2"},
      {V::kDelete, "e1", V::kMerge, "e2", "Delete[e1]"},
      {V::kDelete, "*", V::kReplace, "e2", "Delete[*]"},
      {V::kDelete, "e1", V::kDelete, "e2", "Delete[e1]"},
  };
  EntityReader reader;
  for (const auto& pair : pairs) {
    const EntityWrite before = Make(pair.before, pair.condition, 1, 1);
    EntityWrite next = Make(pair.next, pair.next_condition, 2, 0);
    next.read_at = 1;  // after the first
    const auto merged = Coalesce(before, next, reader);
    ASSERT_TRUE(merged.ok()) << merged.status().message();
    EXPECT_EQ(Show(*merged), pair.merged) << Show(before) << ", then " << Show(next);
  }
}

// A statement that has read an entity calls a function that reads and writes it first.
TEST(CoalesceTest, TheOlderEtagHoldsWhoeverWritesFirst) {
  using V = WriteVerb;
  EntityReader reader;
  const auto merged = [&](std::vector<EntityWrite> writes) {
    EntityWrite all = std::move(writes.front());
    for (size_t i = 1; i < writes.size(); ++i) all = *Coalesce(all, writes[i], reader);
    return Show(all);
  };
  const auto read = [](V verb, const char* etag, int64_t at) {
    EntityWrite write = Make(verb, etag, 0, verb == V::kDelete ? 0 : 2);
    write.read_at = at;
    return write;
  };
  EXPECT_EQ(merged({read(V::kMerge, "new", 5), read(V::kMerge, "old", 5)}), "Merge[old] b=2");
  EXPECT_EQ(merged({read(V::kMerge, "new", 5), read(V::kReplace, "old", 4)}), "Replace[old] b=2");
  EXPECT_EQ(merged({read(V::kReplace, "new", 5), read(V::kDelete, "old", 5)}), "Delete[old]");
  EXPECT_EQ(merged({read(V::kMerge, "new", 5), read(V::kMerge, "*", 5)}), "Merge[new] b=2");
  EXPECT_EQ(merged({read(V::kMerge, "*", 5), read(V::kMerge, "old", 5)}), "Merge[old] b=2");
  EXPECT_EQ(
      merged({read(V::kMerge, "first", 1), read(V::kMerge, "new", 5), read(V::kMerge, "old", 5)}),
      "Merge[first] b=2");
  EXPECT_EQ(
      merged({read(V::kDelete, "e", 3), Make(V::kInsert, "", 1, 0), read(V::kMerge, "new", 5)}),
      "Replace[e] a=1 b=2");
}

// The relevant parts of an entity in a table service.
struct Stored {
  std::string etag;
  std::optional<int> a, b;
  bool operator==(const Stored& other) const = default;
};
using Place = std::optional<Stored>;

void Put(Place& place, const EntityWrite& write, bool merge) {
  EntityReader reader;
  Stored stored = merge && place ? *place : Stored();
  stored.etag = "written";
  const auto properties = reader.All(write.properties);
  for (const Property& property : *properties) {
    (property.name == "a" ? stored.a : stored.b) = static_cast<int>(property.value.integer);
  }
  place = stored;
}

// Executes the write as the service would; false if it fails.
bool Apply(Place& place, const EntityWrite& write) {
  const bool matches =
      place && (write.if_match == "*" || write.if_match == place->etag || place->etag == "written");
  switch (write.verb) {
    case WriteVerb::kNothing:
      return true;
    case WriteVerb::kInsert:
      if (place) return false;
      Put(place, write, false);
      return true;
    case WriteVerb::kInsertOrIgnore:
      if (!place) Put(place, write, false);
      return true;
    case WriteVerb::kInsertOrReplace:
    case WriteVerb::kInsertOrMerge:
      Put(place, write, write.verb == WriteVerb::kInsertOrMerge);
      return true;
    case WriteVerb::kMerge:
    case WriteVerb::kReplace:
      if (!matches) return false;
      Put(place, write, write.verb == WriteVerb::kMerge);
      return true;
    case WriteVerb::kDelete:
      if (!place) return write.if_match == "*";
      if (!matches) return false;
      place.reset();
      return true;
  }
  return false;
}

// The second write as SQL would make it: on the row of the first write, with the ETag that the
// service showed, if any. An insert leaves its row even if it met an entity: only COMMIT fails.
std::optional<EntityWrite> NextOf(WriteVerb verb, const Place& remote, const EntityWrite& before) {
  Place seen = before.verb == WriteVerb::kInsert ? std::nullopt : remote;
  if (!Apply(seen, before)) return std::nullopt;
  if (verb == WriteVerb::kInsert && seen) return std::nullopt;  // fails at once
  if (HasCondition(verb) && !seen) return std::nullopt;         // the row does not exist
  // No operation combines these two, so the statement fails.
  if (before.verb == WriteVerb::kInsertOrIgnore && verb == WriteVerb::kInsertOrMerge) {
    return std::nullopt;
  }
  EntityWrite next = Make(verb, "", 2, 0);
  if (HasCondition(verb)) next.if_match = remote ? remote->etag : "";
  return next;
}

TEST(CoalesceTest, OneOperationDoesWhatTwoWouldHaveDone) {
  EntityReader reader;
  int compared = 0;
  const Place remotes[] = {std::nullopt, Stored{"e1", 8, 9}, Stored{"e1", std::nullopt, 9}};
  for (const Place& remote : remotes) {
    for (int first = 1; first < 8; ++first) {
      const auto verb = static_cast<WriteVerb>(first);
      if (HasCondition(verb) && !remote) continue;
      const EntityWrite before = Make(verb, HasCondition(verb) ? "e1" : "", 1, 1);
      for (int second = 1; second < 8; ++second) {
        const auto next = NextOf(static_cast<WriteVerb>(second), remote, before);
        if (!next) continue;
        EntityWrite sent = *next;
        if (sent.verb >= WriteVerb::kMerge && sent.if_match.empty()) sent.if_match = "*";
        const auto merged = Coalesce(before, *next, reader);
        ASSERT_TRUE(merged.ok());
        // Without and with a concurrent change of the entity before COMMIT.
        const Place others[] = {remote, Stored{"e9", 5, std::nullopt}};
        for (const Place& at_commit : others) {
          Place one = at_commit;
          Place two = at_commit;
          const bool two_ok = Apply(two, before) && Apply(two, sent);
          const bool one_ok = Apply(one, *merged);
          // After a concurrent change failing is always allowed.
          const bool changed = at_commit != remote;
          if (changed && !one_ok) continue;
          if (changed &&
              (before.verb == WriteVerb::kInsertOrIgnore || merged->verb == WriteVerb::kNothing)) {
            continue;  // SQL saw other rows
          }
          EXPECT_EQ(one_ok, two_ok) << Show(before) << ", then " << Show(*next);
          if (!one_ok || !two_ok) continue;
          EXPECT_EQ(one.has_value(), two.has_value()) << Show(before) << ", then " << Show(*next);
          if (one && two) {
            EXPECT_EQ(one->a, two->a) << Show(before) << ", then " << Show(*next);
            EXPECT_EQ(one->b, two->b) << Show(before) << ", then " << Show(*next);
          }
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 80);
}

TEST(CoalesceTest, MergeThatGivesAllOfAnIgnoredInsert) {
  EntityReader reader;
  const EntityWrite ignored = Make(WriteVerb::kInsertOrIgnore, "", 1, 0);
  for (const int b : {0, 3}) {
    const auto merged = Coalesce(ignored, Make(WriteVerb::kInsertOrMerge, "", 2, b), reader);
    ASSERT_TRUE(merged.ok());
    EXPECT_EQ(Show(*merged), b > 0 ? "UpMerge a=2 b=3" : "UpMerge a=2");
  }
}

TEST(CoalesceTest, TypesAndOddValuesComeThrough) {
  EntityReader reader;
  const std::vector<Property> odd = {{"i", Value::Int64(9007199254740993)},
                                     {"d", Value::Double(5)},
                                     {"t", Value::DateTime("2026-11-21T15:45:23.1234567Z")},
                                     {"g", Value::Guid("c9da6455-213d-42c9-9a79-3e9149a57833")},
                                     {"x", Value::Binary(std::string("\0\xFF", 2))},
                                     {"s", Value::String("\xF0\x9F\x98\x80\"\\\n")}};
  const auto merged = Coalesce(WriteOf(WriteVerb::kInsert, odd),
                               WriteOf(WriteVerb::kMerge, {{"n", Value::Boolean(true)}}), reader);
  ASSERT_TRUE(merged.ok());
  std::vector<Property> expected = odd;
  expected.push_back({"n", Value::Boolean(true)});
  EXPECT_EQ(*reader.All(merged->properties), expected);
}

}  // namespace
}  // namespace aztables
