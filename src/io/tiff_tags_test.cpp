#include "io/tiff_tags.h"

#include <gtest/gtest.h>

#include "io/test_files.h"

namespace imago::io {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int v : values) bytes.push_back(static_cast<std::byte>(v));
  return bytes;
}

TEST(TiffTags, BothByteOrdersGiveTheSameNumbers) {
  // one directory: tag 256 SHORT 640, tag 282 RATIONAL 3/2 at offset 38
  const auto little = bytes_of({'I', 'I', 42, 0, 8, 0, 0, 0,  2, 0, 0, 1, 3, 0, 1, 0, 0, 0, 0x80, 2, 0, 0, 0x1a,
                                1,   5,   0,  1, 0, 0, 0, 38, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0,    2, 0, 0, 0});
  const auto big = bytes_of({'M',  'M', 0, 42, 0, 0, 0, 8, 0, 2, 1,  0, 0, 3, 0, 0, 0, 1, 2, 0x80, 0, 0, 1,
                             0x1a, 0,   5, 0,  0, 0, 1, 0, 0, 0, 38, 0, 0, 0, 0, 0, 0, 0, 3, 0,    0, 0, 2});
  for (const auto& bytes : {little, big}) {
    ByteSource source{std::span<const std::byte>(bytes)};
    const auto tags = TiffTags::parse(source);
    ASSERT_TRUE(tags);
    ASSERT_EQ(tags->ifds().size(), 1u);
    EXPECT_EQ(tags->integer(tags->ifds()[0], 256), 640u);
    EXPECT_EQ(tags->number(tags->ifds()[0], 282), 1.5);
    EXPECT_FALSE(tags->number(tags->ifds()[0], 257));
  }
}

TEST(TiffTags, DirectoriesThatPointAtThemselvesEnd) {
  // the next directory is the first one again, and so is its SubIFD
  const auto bytes = bytes_of({'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x4a, 1, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0});
  ByteSource source{std::span<const std::byte>(bytes)};
  const auto tags = TiffTags::parse(source);
  ASSERT_TRUE(tags);
  EXPECT_EQ(tags->ifds().size(), 1u);
}

TEST(TiffTags, ValuesOutsideTheFileAreMissingNotRead) {
  const auto bytes = bytes_of({'I', 'I', 42, 0,    8, 0, 0, 0,    2,    0,    0,    1,  3, 0, 1, 0, 0, 0, 7,
                               0,   0,   0,  0x1a, 1, 5, 0, 0xff, 0xff, 0xff, 0xff, 38, 0, 0, 0, 0, 0, 0, 0});
  ByteSource source{std::span<const std::byte>(bytes)};
  const auto tags = TiffTags::parse(source);
  ASSERT_TRUE(tags);
  EXPECT_EQ(tags->integer(tags->ifds()[0], 256), 7u);
  EXPECT_TRUE(tags->numbers(tags->ifds()[0], 282).empty());
}

TEST(TiffTags, OtherBytesAreNoTiff) {
  for (const auto& bytes : {bytes_of({}), bytes_of({'I', 'I'}), bytes_of({1, 2, 3, 4, 5, 6, 7, 8, 9}),
                            bytes_of({'I', 'I', 42, 0, 255, 255, 255, 255})}) {
    ByteSource source{std::span<const std::byte>(bytes)};
    EXPECT_FALSE(TiffTags::parse(source));
  }
}

}  // namespace
}  // namespace imago::io
