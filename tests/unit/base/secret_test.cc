// Checks Secret: it cannot be copied, a move leaves no bytes, and its destructor wipes.
#include "base/secret.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>

namespace aztables {
namespace {

static_assert(!std::is_copy_constructible_v<Secret>);
static_assert(!std::is_copy_assignable_v<Secret>);
static_assert(std::is_nothrow_move_constructible_v<Secret>);

// One fits into std::string itself, the other does not.
const char* const kSamples[] = {"k", "short",
                                "a key that is far too long for the string object itself"};

TEST(SecretTest, DefaultIsEmpty) {
  const Secret secret;
  EXPECT_TRUE(secret.empty());
  EXPECT_EQ(secret.Reveal(), "");
}

TEST(SecretTest, RevealsItsBytesWithZeros) {
  const std::string bytes("a\0b", 3);
  const Secret secret(bytes);
  EXPECT_FALSE(secret.empty());
  EXPECT_EQ(secret.Reveal(), bytes);
}

TEST(SecretTest, MoveConstructionEmptiesTheSource) {
  for (const char* sample : kSamples) {
    Secret from{std::string(sample)};
    const Secret to(std::move(from));
    EXPECT_EQ(to.Reveal(), sample);
    EXPECT_TRUE(from.empty());     // NOLINT: what the class promises
    EXPECT_EQ(from.Reveal(), "");  // NOLINT: the same
  }
}

TEST(SecretTest, MoveAssignmentReplacesAndEmptiesTheSource) {
  for (const char* sample : kSamples) {
    Secret from{std::string(sample)};
    Secret to{std::string("what was there before, and was longer than that")};
    to = std::move(from);
    EXPECT_EQ(to.Reveal(), sample);
    EXPECT_TRUE(from.empty());  // NOLINT: what the class promises
  }
}

TEST(SecretTest, SelfMoveKeepsTheBytes) {
  Secret secret{std::string("kept")};
  Secret& same = secret;
  secret = std::move(same);
  EXPECT_EQ(secret.Reveal(), "kept");
}

TEST(SecretTest, WipeStringOverwritesWhatWasThere) {
  for (const char* sample : kSamples) {
    std::string text(sample);
    const volatile char* const bytes = text.data();
    const size_t size = text.size();
    WipeString(text);
    EXPECT_TRUE(text.empty());
    ASSERT_EQ(text.data(), const_cast<const char*>(bytes)) << "the storage is still this one";
    for (size_t i = 0; i < size; ++i) EXPECT_EQ(bytes[i], 0) << sample << " at " << i;
  }
}

TEST(SecretTest, WipeStringOverwritesWhatAShrunkenStringHeldBefore) {
  std::string text(100, 'x');
  text.resize(3);
  const volatile char* const bytes = text.data();
  WipeString(text);
  for (size_t i = 0; i < 100; ++i) EXPECT_EQ(bytes[i], 0) << "at " << i;
}

TEST(SecretTest, AWipedStringWipesWhatItReplaces) {
  for (const char* sample : kSamples) {
    WipedString text;
    text = std::string_view(sample);
    const WipedString copy = text;
    const volatile char* const bytes = text.view().data();
    const size_t size = text.view().size();
    const bool inside = size < 16;  // the bytes are in the object, which the new ones overwrite
    text = std::string_view();
    EXPECT_TRUE(text.empty());
    for (size_t i = 0; inside && i < size; ++i) EXPECT_EQ(bytes[i], 0) << sample << " at " << i;
    EXPECT_EQ(copy.view(), sample);
    text = copy;
    text = text.view().substr(1);
    EXPECT_EQ(text.view(), std::string_view(sample).substr(1));
  }
}

TEST(SecretTest, MayBeSecret) {
  for (const char* text : {"AccountName=a;AccountKey=b", "accountkey=b", "sig=x", "?sv=1&sig=x",
                           "QUJDQUJD==", "SharedAccessSignature=x", "a=b;c", "QUJDQUJ=", "QUJD==/",
                           "sv%3D1%26sig%3Dx", "sig%3dx", "AccountKey = b"}) {
    EXPECT_TRUE(MayBeSecret(text)) << text;
  }
  for (const char* text : {"", "Orders", "/run/secrets/tables", "a b.txt", "a=b", "a;b"}) {
    EXPECT_FALSE(MayBeSecret(text)) << text;
  }
}

TEST(SecretTest, ATextThatHoldsASecret) {
  for (const char* secret :
       {"/* AccountKey=a2V5 */", "-- accountkey \t= a2V5", "{\"AccountKey\"=\"a\"}",
        "sharedaccesssignature=sv=1", "sig=abc", "/*sig=abc*/", "https://h/?sv=1&sig=abc",
        "sv=1;SIG=abc", "sig%3Dabc", "design=1, sig=2"}) {
    EXPECT_TRUE(HoldsSecret(secret)) << secret;
  }
  for (const char* honest :
       {"", "sig", "design=1", "my_sig STRING PROPERTY 'sig', access=read",
        "the AccountKey is in the vault", "AccountKeys=2", "AccountKey: see x"}) {
    EXPECT_FALSE(HoldsSecret(honest)) << honest;
  }
}

}  // namespace
}  // namespace aztables
