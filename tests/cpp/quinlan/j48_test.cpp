// SPDX-License-Identifier: Apache-2.0
// Trees that Weka's J48 3.6.14 printed, written down.
#include <gtest/gtest.h>

#include "quinlan/support.hpp"

namespace bough {
namespace {

using namespace quinlan;

// 26 rows with missing cells in every column. J48 prints (-C 0.25 -M 2)
//   colour = blue
//   |   size <= 5: p (5.0/1.8)
//   |   size > 5: q (7.44/2.29)
//   colour = green
//   |   size <= 10: q (9.01/2.35)
//   |   size > 10: p (2.29/0.2)
//   colour = red: p (2.26/0.17)
// where size under blue was raised into the place of a test of flag.
const char* const kRaised =
    "colour,size,flag,class\n"
    "green,10,b,q\ngreen,10,a,q\nblue,12,?,q\nblue,9,a,q\ngreen,?,a,q\n?,7,?,q\ngreen,1,b,q\nblue,10,a,p\n?,?"
    ",a,p\n"
    "blue,?,a,q\nblue,10,a,p\ngreen,12,a,p\nred,9,a,p\nred,2,b,p\nblue,?,a,q\n?,8,b,q\nblue,1,b,q\nblue,10,a,"
    "q\n"
    "green,9,b,p\nblue,1,a,p\nblue,1,b,p\ngreen,5,a,q\ngreen,12,a,p\ngreen,10,a,q\ngreen,2,a,p\nblue,4,a,p\n";

TEST(J48, a_branch_is_raised_and_gets_the_rows_of_its_siblings) {
  EXPECT_EQ(outline(grow(kRaised, "class", params_of("c45", {{"j48", "true"}}))),
            "colour = blue\n"
            "| size ≤ 5: p 5.00/1.80\n"
            "| size > 5: q 7.44/2.29\n"
            "colour = green\n"
            "| size ≤ 10: q 9.01/2.35\n"
            "| size > 10: p 2.29/0.20\n"
            "colour = red: p 2.26/0.17\n");
}

TEST(J48, without_raising) {
  EXPECT_EQ(
      outline(grow(kRaised, "class", params_of("c45", {{"j48", "true"}, {"subtree_raising", "false"}}))),
      "colour = blue: q 12.43/5.48\n"
      "colour = green\n"
      "| size ≤ 10: q 9.01/2.35\n"
      "| size > 10: p 2.29/0.20\n"
      "colour = red: p 2.26/0.17\n");
}

TEST(J48, unpruned) {
  EXPECT_EQ(outline(grow(kRaised, "class", params_of("c45", {{"j48", "true"}, {"pruning", "none"}}))),
            "colour = blue\n"
            "| flag = a\n"
            "| | size ≤ 5: p 2.69/0.56\n"
            "| | size > 5: q 6.93/2.34\n"
            "| flag = b: q 2.81/1.00\n"
            "colour = green\n"
            "| size ≤ 10: q 9.01/2.35\n"
            "| size > 10: p 2.29/0.20\n"
            "colour = red: p 2.26/0.17\n");
}

TEST(J48, iris) {
  const Table iris = read_table("cli/data/iris.csv");
  const std::string petal_length = iris.name(2), petal_width = iris.name(3);
  const Model model = grow(iris, iris.name(4), params_of("c45", {{"j48", "true"}}));
  EXPECT_EQ(outline(model),
            petal_width + " ≤ 0.6: setosa 50.00/0.00\n" + petal_width + " > 0.6\n| " + petal_width +
                " ≤ 1.7\n| | " + petal_length + " ≤ 4.9: versicolor 48.00/1.00\n| | " + petal_length +
                " > 4.9\n| | | " + petal_width + " ≤ 1.5: virginica 3.00/0.00\n| | | " + petal_width +
                " > 1.5: versicolor 3.00/1.00\n| " + petal_width + " > 1.7: virginica 46.00/1.00\n");
}

}  // namespace
}  // namespace bough
