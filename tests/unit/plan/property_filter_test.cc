// Checks that filters of properties lose no entity: all column types, operators and kinds of
// values, over stored values of every EDM type. The models are SQLite and the strictest reading of
// the service's documents. Filters must also exclude something.
#include "plan/property_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "model/schema.h"
#include "plan/text_range.h"
#include "support/filter_reading.h"
#include "support/property_values.h"
#include "support/rounds.h"
#include "support/sqlite_compare.h"

namespace aztables {
namespace {

using support::Affinity;
using support::SqlThing;
using Type = SqlValue::Type;

constexpr EdmType kTypes[] = {EdmType::kNull,     EdmType::kString, EdmType::kInt32,
                              EdmType::kInt64,    EdmType::kDouble, EdmType::kBoolean,
                              EdmType::kDateTime, EdmType::kGuid,   EdmType::kBinary};
constexpr ConditionOp kOps[] = {ConditionOp::kEq,   ConditionOp::kLt,     ConditionOp::kLe,
                                ConditionOp::kGt,   ConditionOp::kGe,     ConditionOp::kIs,
                                ConditionOp::kLike, ConditionOp::kNotNull};

bool IsUpper(ConditionOp op) { return op == ConditionOp::kLt || op == ConditionOp::kLe; }

// The form of a value in a statement.
struct Given {
  SqlValue value;
  bool computed = false;
};

// The text before the first wildcard of a pattern; empty if it is not a text.
std::string PrefixOf(const SqlValue& pattern) {
  if (pattern.type != Type::kText) return "";
  return std::string(pattern.text.substr(0, pattern.text.find_first_of("%_")));
}

// The possible affinities of the value.
std::vector<Affinity> AffinitiesOf(const Given& given, ConditionOp op) {
  if (given.value.as_text || given.value.as_number) return {Affinity::kNone};
  const SqlThing thing(given.value);
  const bool literal = IsUpper(op) && !given.computed;
  std::vector<Affinity> all = {Affinity::kNone};
  // CAST(5 AS INTEGER) counts as a literal; a column contains no numeric text.
  const bool like_number = thing.type == Type::kText && support::NumberInText(thing.text);
  if (thing.is_number() || (!literal && !like_number)) all.push_back(Affinity::kNumeric);
  if (!literal) all.push_back(Affinity::kBlob);
  if (!literal && !thing.is_number()) all.push_back(Affinity::kText);
  return all;
}

// The values that a service may show.
std::vector<Value> ShownForms(const Value& stored) {
  std::vector<Value> forms = {stored};
  if (stored.type == EdmType::kDouble && std::isfinite(stored.real)) {
    forms.push_back(Value::Double(support::Rounded(stored.real)));
  }
  return forms;
}

// For LIKE only the bounds matter: SQLite keeps no text outside of them.
bool KeepsLike(const Value& stored, EdmType declared, const std::string& prefix) {
  const support::LikeBounds bounds(prefix);
  const SqlThing shown = support::Shown(stored, declared);
  const auto keeps = [&](ConditionOp op, const std::string& bound) {
    return support::Keeps(shown, support::AffinityOf(declared), op, SqlThing(SqlValue::Text(bound)),
                          Affinity::kNone, support::Collating::kNoCase);
  };
  return keeps(ConditionOp::kGe, bounds.low) && keeps(ConditionOp::kLt, bounds.end);
}

bool SqliteKeeps(const Value& stored, EdmType declared, ConditionOp op, const Given& given) {
  if (op == ConditionOp::kLike) return KeepsLike(stored, declared, PrefixOf(given.value));
  for (const Value& form : ShownForms(stored)) {
    if (op == ConditionOp::kNotNull) {
      if (support::Shown(form, declared).type != Type::kNull) return true;
      continue;
    }
    for (const Affinity affinity : AffinitiesOf(given, op)) {
      if (support::Keeps(support::Shown(form, declared), support::AffinityOf(declared), op,
                         SqlThing(given.value), affinity)) {
        return true;
      }
    }
  }
  return false;
}

bool ServiceReturns(const Disjunction& filter, const Value& stored) {
  const support::PropertyOf property_of = [&](std::string_view) { return &stored; };
  return support::Returns(filter, property_of, 1) && support::Returns(filter, property_of, 10'000);
}

struct Tally {
  size_t sent = 0;
  size_t never = 0;  // true for no entity
  size_t not_sent = 0;
  size_t kept = 0;
  size_t left_out = 0;
  size_t extra = 0;  // returned, not kept
};

class PropertyFilterTest : public testing::Test {
 protected:
  void Check(EdmType declared, ConditionOp op, const Given& given,
             const std::vector<Value>& entities) {
    Tally& tally = tallies_[{declared, op}];
    const auto filter = FilterOf(declared, op, given);
    if (!filter) {
      ++tally.not_sent;
      return;
    }
    ++(filter->empty() ? tally.never : tally.sent);
    for (const Conjunction& alternative : *filter) ASSERT_FALSE(alternative.empty());
    for (const Value& stored : entities) {
      const bool kept = SqliteKeeps(stored, declared, op, given);
      const bool returned = !filter->empty() && ServiceReturns(*filter, stored);
      ASSERT_TRUE(returned || !kept)
          << ColumnTypeName(declared) << " " << ConditionOpName(op) << " "
          << support::Describe(given.value) << (given.computed ? " computed" : "") << ": "
          << (filter->empty() ? "never" : FilterText({}, {*filter})) << "\nloses "
          << EdmName(stored.type) << " " << support::Describe(stored);
      ++(kept ? tally.kept : returned ? tally.extra : tally.left_out);
    }
  }

  // As in a plan: LIKE becomes its two bounds.
  static std::optional<Disjunction> FilterOf(EdmType declared, ConditionOp op, const Given& given) {
    SqlValue value = given.value;
    std::optional<std::string> beginning;
    if (op == ConditionOp::kLike) {
      const std::string prefix = PrefixOf(value);
      if (prefix.empty()) return std::nullopt;
      const support::LikeBounds bounds(prefix);
      beginning = CommonBeginning(SqlValue::Text(bounds.low), SqlValue::Text(bounds.end));
      if (!beginning) return std::nullopt;
      value = SqlValue::Text(*beginning);
    }
    return PropertyFilter("P", declared, op, value, given.computed);
  }

  std::map<std::pair<EdmType, ConditionOp>, Tally> tallies_;
};

TEST_F(PropertyFilterTest, NoEntityIsLost) {
  std::mt19937_64 random(11);
  const support::PropertyValues values(random);
  const int how_many = std::max(support::Rounds(3), 1);  // a literal, computed, a parameter
  int form = 0;
  for (const EdmType declared : kTypes) {
    for (const ConditionOp op : kOps) {
      for (const SqlValue& constant : values.constants()) {
        const std::vector<Value> entities = values.StoredNear(constant, random);
        for (int i = 0; i < how_many; ++i) {
          form = (form + 1) % 3;
          Given given{constant, form == 1};
          given.value.as_text = form == 2 && constant.type == Type::kText;
          given.value.as_number = form == 2 && SqlThing(constant).is_number();
          ASSERT_NO_FATAL_FAILURE(Check(declared, op, given, entities));
        }
      }
    }
  }
  for (const EdmType declared : kTypes) {
    for (const ConditionOp op : kOps) {
      const Tally& tally = tallies_[{declared, op}];
      const std::string what =
          std::string(ColumnTypeName(declared)) + " " + std::string(ConditionOpName(op));
      const bool number = declared >= EdmType::kInt32 && declared <= EdmType::kDouble;
      const bool text = declared == EdmType::kString || declared == EdmType::kDateTime;
      const bool range = op >= ConditionOp::kLt && op <= ConditionOp::kGe;
      bool may_be_sent = true;
      if (range) may_be_sent = number || text || (declared == EdmType::kNull && IsUpper(op));
      if (op == ConditionOp::kLike) may_be_sent = text;
      if (op == ConditionOp::kNotNull) {
        may_be_sent = number || text || declared == EdmType::kBoolean;
      }
      EXPECT_EQ(tally.sent > 0, may_be_sent) << what;
      if (!may_be_sent) continue;
      EXPECT_GT(tally.kept, support::Rounds(10U)) << what;
      EXPECT_GT(tally.left_out, 100U) << what;
      EXPECT_LT(tally.extra, tally.kept + tally.left_out) << what << ": widened too much";
    }
  }
}

}  // namespace
}  // namespace aztables
