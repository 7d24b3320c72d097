// Keys of typical tables: see key_distributions.h.
#include "support/key_distributions.h"

#include <algorithm>
#include <utility>

namespace aztables::support {
namespace {

std::string DateOf(size_t day) {  // without leap days
  constexpr size_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  size_t month = 0;
  size_t in_year = day % 365;
  while (in_year >= kDays[month]) in_year -= kDays[month++];
  return std::to_string(2022 + day / 365) + "-" + PaddedTo(2, month + 1) + "-" +
         PaddedTo(2, in_year + 1);
}

TableKeys MostInOnePartition(size_t n) {
  TableKeys table = TableOf(n, 1, Padded("k", 6), Padded("", 8));
  const size_t small = n / 20;
  for (size_t i = 0; i <= small; ++i) table.starts.push_back(i);
  for (size_t i = n - small; i < n; ++i) table.starts.push_back(i);
  return table;
}

TableKeys TwoClusters(size_t n) {
  return TableOf(
      n, 1,
      [n](size_t k) {
        return k < n / 2 ? "device-000" + PaddedTo(6, k) : "sensor-97" + PaddedTo(6, k - n / 2);
      },
      Padded("r", 1));
}

TableKeys NamesOfZipf(size_t n) {
  TableKeys table = TableOf(n, 1, Words(2000), Padded("", 7));
  std::vector<size_t> weights;
  for (size_t i = 0; i < 2000; ++i) weights.push_back(2'000'000 / (1 + Scramble(i) % 2000));
  table.starts = StartsOf(n, weights);
  return table;
}

// 200 tenants in five regions; credits, invoices and mostly orders, by day.
TableKeys Composite(size_t n) {
  const auto tenant = [](size_t k) {
    constexpr const char* kRegions[] = {"ap-south", "eu-north", "eu-west", "us-east", "us-west"};
    return std::string(kRegions[k / 40]) + "_t" + PaddedTo(4, k % 40 * 7);
  };
  const auto document = [](size_t k) {
    const size_t day = k < 30 ? 0 : k < 300 ? (k - 30) / 10 : (k - 300) / 20;
    const std::string date = "20" + PaddedTo(2, 20 + day / 336) + "-" +
                             PaddedTo(2, 1 + day / 28 % 12) + "-" + PaddedTo(2, 1 + day % 28);
    return std::string(k < 30    ? "credit_"
                       : k < 300 ? "invoice_"
                                 : "order_") +
           date + "_" + PaddedTo(5, k);
  };
  TableKeys table = TableOf(n, 1, tenant, document);
  std::vector<size_t> weights;
  for (size_t i = 0; i < 200; ++i) weights.push_back(1 + Scramble(i) % 30);
  table.starts = StartsOf(n, weights);
  return table;
}

}  // namespace

TableKeys TableOf(size_t entities, size_t per_partition, KeyForm partition_key, KeyForm row_key) {
  TableKeys table;
  table.entities = entities;
  table.per_partition = per_partition;
  table.partition_key = std::move(partition_key);
  table.row_key = std::move(row_key);
  return table;
}

std::vector<size_t> StartsOf(size_t entities, const std::vector<size_t>& weights) {
  size_t all = 0;
  for (const size_t weight : weights) all += weight;
  std::vector<size_t> starts;
  size_t before = 0;
  for (const size_t weight : weights) {
    const size_t start = before * entities / all;
    starts.push_back(starts.empty() || start > starts.back() ? start : starts.back() + 1);
    before += weight;
  }
  starts.resize(std::min(starts.size(), entities));
  for (size_t i = starts.size(); i > 0; --i) {
    starts[i - 1] = std::min(starts[i - 1], entities - (starts.size() - i + 1));
  }
  return starts;
}

std::vector<NamedKeys> KeyDistributions(size_t n) {
  const KeyForm one = Padded("r", 1);
  const KeyForm hex = [n](size_t k) { return Guids(n)(k).substr(0, 8); };
  return {{"GUIDs", TableOf(n, 1, Guids(n), one)},
          {"100 partitions", TableOf(n, (n + 99) / 100, Padded("p", 3), Padded("", 7))},
          {"one partition, padded", TableOf(n, n, Padded("p", 1), Padded("r", 8))},
          {"one partition, ticks", TableOf(n, n, Padded("p", 1), ReverseTicks(60))},
          {"one partition, GUIDs", TableOf(n, n, Padded("p", 1), Guids(n))},
          {"most in one partition", MostInOnePartition(n)},
          {"dates", TableOf(n, (n + 729) / 730, DateOf, ReverseTicks(3))},
          {"names, Zipf", NamesOfZipf(n)},
          {"long prefix",
           TableOf(n, 1, Padded("https:%2F%2Fwww.example.com%2Fcustomers%2Fid-", 8), one)},
          {"two clusters", TwoClusters(n)},
          {"unpadded", TableOf(n, 1, Unpadded("", n), one)},
          {"composite", Composite(n)},
          {"Cyrillic", TableOf(n, 1, Letters(n, 0x430, 32, 1), one)},
          {"8 hexadecimal digits", TableOf(n, 1, hex, one)}};
}

}  // namespace aztables::support
