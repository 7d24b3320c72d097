// Readers for tests of BinaryOrderStream: real pages of a scripted table, and random keys whose
// position differs in the service's order.
//
// Thread rule: one thread.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "read/binary_order_stream.h"
#include "support/scripted_client.h"
#include "support/utf16_table.h"
#include "table/page_stream.h"

namespace aztables {

using Key = support::Utf16Table::Key;
using Keys = std::vector<Key>;

// The pages of a stream, without rules.
class StreamPages : public PageReader {
 public:
  StreamPages(support::ScriptedClient& s, EntityQuery query, bool distinct)
      : s_(s), stream_(&s.client, std::move(query), {}, 0, s.options) {
    if (distinct) stream_.SkipPartitions();
  }
  Result<bool> NextPage() override { return stream_.NextPage(s_.cancel); }
  const EntityPage& page() const override { return stream_.page(); }
  bool at_end() const override { return stream_.at_end(); }
  std::unique_ptr<EntityPage> TakePage() override { return stream_.TakePage(); }
  int64_t asked_at() const override { return 0; }
  Status Prefetch() override {
    stream_.Prefetch(s_.cancel);
    return stream_.interrupted();
  }

 protected:
  support::ScriptedClient& s_;
  PageStream stream_;
};

struct BinaryOrderReader {
  BinaryOrderReader(support::Utf16Table& table, Conjunction filter, bool distinct = false)
      : s(table.Handler()), filter_(std::move(filter)), distinct_(distinct) {}

  std::unique_ptr<PageReader> Open(const Conjunction& more) {
    EntityQuery query;
    query.table = "T";
    query.filter = filter_;
    query.filter.insert(query.filter.end(), more.begin(), more.end());
    return std::make_unique<StreamPages>(s, std::move(query), distinct_);
  }
  Keys Read(bool in_order = true) {
    Keys keys = in_order ? ReadInOrder() : ReadSome(Open({}));
    EXPECT_TRUE(status.ok()) << status.message();
    return keys;
  }
  // The same, up to an error in `status`.
  Keys ReadInOrder() {
    return ReadSome(std::make_unique<BinaryOrderStream>(
        Open({}), [this](const Conjunction& more) { return Open(more); }, filter_));
  }
  Keys ReadSome(std::unique_ptr<RowStream> read) {
    Keys keys;
    for (;;) {
      const auto more = read->Next();
      status = more.status();
      if (!more.ok() || !*more || keys.size() > 10'000) return keys;
      keys.emplace_back(read->key().partition_key, read->key().row_key);
    }
  }

  support::ScriptedClient s;
  Status status;
  Conjunction filter_;
  bool distinct_;
};

inline constexpr char32_t kLetters[] = {'a',    'b',    0xD7FF,  0xE000,
                                        0xE001, 0xFFFF, 0x10000, 0x10FFFF};
inline constexpr char32_t kTame[] = {'a', 'b', 0xD7FF};

template <size_t N>
std::string RandomText(std::mt19937& random, const char32_t (&letters)[N], size_t most) {
  std::string text;
  for (size_t n = random() % (most + 1); n > 0; --n) AppendUtf8(text, letters[random() % N]);
  return text;
}

// Tables with few letters have deeply nested prefixes.
inline Keys RandomKeys(std::mt19937& random) {
  std::vector<char32_t> letters;
  for (size_t n = 2 + random() % 3; n > 0; --n) letters.push_back(kLetters[random() % 8]);
  const auto text = [&](size_t most) {
    std::string key;
    for (size_t n = random() % (most + 1); n > 0; --n) {
      AppendUtf8(key, letters[random() % letters.size()]);
    }
    return key;
  };
  std::vector<std::string> partitions;
  for (size_t n = 1 + random() % 12; n > 0; --n) partitions.push_back(text(4));
  std::set<Key> keys;
  for (size_t n = random() % 60; n > 0; --n) {
    keys.emplace(partitions[random() % partitions.size()], text(4));
  }
  return {keys.begin(), keys.end()};  // in byte order
}

}  // namespace aztables
