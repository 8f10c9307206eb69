#include <gtest/gtest.h>
TEST(Develop, Placeholder) {}
