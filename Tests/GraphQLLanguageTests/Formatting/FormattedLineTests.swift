import GraphQLFormatting
import Testing

@Suite("Formatting of comments and lines", .timeLimit(.minutes(1))) struct FormattedLineTests {
  @Test("comments keep their positions")
  func comments() throws {
    let text = """
      # first

      # second
      query Q { # after a brace
        # before a field
        a # after a field
        b(x: 1 # after a value
          # before an argument
          y: 2
          # before a parenthesis
        )

        # after a blank line

        c
        # before a brace
      } # after a definition

      # between definitions
      query R($a: Int # after a variable
      ) {
        list(of: [
          1 # after an element
          # before a bracket
        ])
      }
      # last

      # very last
      """
    #expect(
      try formatted(text) == """
        # first

        # second
        query Q { # after a brace
          # before a field
          a # after a field
          b(
            x: 1 # after a value
            # before an argument
            y: 2
            # before a parenthesis
          )

          # after a blank line

          c
          # before a brace
        } # after a definition

        # between definitions
        query R(
          $a: Int # after a variable
        ) {
          list(
            of: [
              1 # after an element
              # before a bracket
            ]
          )
        }
        # last

        # very last
        """)
  }

  @Test("a comment in the middle of a construct breaks its line there, and the rest is indented")
  func commentsInside() throws {
    #expect(
      try formatted("query # 1\nQ # 2\n@live # 3\n{ a: # 4\nb ... # 5\non # 6\n T # 7\n { c } }")
        == """
        query # 1
          Q # 2
        @live # 3
        {
          a: # 4
            b
          ... # 5
            on # 6
            T # 7
          {
            c
          }
        }
        """)
  }

  @Test("a text of comments is formatted, and a text without anything stays empty")
  func onlyComments() throws {
    #expect(try formatted("\n\n  # a  \n\n\n\n#b") == "# a\n\n#b")
    #expect(Formatting.format(ContiguousArray(" ,\n".utf8)) == [])
  }

  @Test("one blank line is kept between definitions, selections and arguments, and none elsewhere")
  func blankLines() throws {
    let text = """


      query Q {

        a


        b(

          x: "a long value that does not fit on the line"


          y: "another long value that does not fit"

        )

      }
      query R { c

      (x: 1,

      y: 2) d }


      query S { a }
      "text"

      scalar Date

      @specifiedBy(url: "a long address that does not fit on the line")

      @other(reason: "so that there are two directives")
      """
    #expect(
      try formatted(text) == """
        query Q {
          a

          b(
            x: "a long value that does not fit on the line"

            y: "another long value that does not fit"
          )
        }
        query R {
          c(x: 1, y: 2)
          d
        }

        query S {
          a
        }
        "text"
        scalar Date
          @specifiedBy(url: "a long address that does not fit on the line")
          @other(reason: "so that there are two directives")
        """)
  }

  @Test(
    "block strings of several lines are indented and keep their values, others stay as they are")
  func blockStrings() throws {
    let text = #"""
      """  Short  """
      type A {
            """
          Long,
            indented

          and \""" quoted
            """
        a(text: String = """one
           two
         three"""): Int
        """   starts
         """
        b: Int
        """

        """
        c: Int
      }
      """#
    #expect(
      try formatted(text) == #"""
        """  Short  """
        type A {
          """
          Long,
            indented

          and \""" quoted
          """
          a(
            text: String = """
            one
              two
            three
            """
          ): Int
          """   starts
          """
          b: Int
          """
          """
          c: Int
        }
        """#)
  }

  @Test(
    "line ends are those of the first line, and a byte order mark stays",
    arguments: ["\n", "\r\n", "\r"])
  func lineEnds(lineEnd: String) throws {
    let text = "\u{FEFF}{ a # c\n\n\nb(t: \"\"\"x\ny\"\"\") }".replacing("\n", with: lineEnd)
    let expected = """
      \u{FEFF}{
        a # c

        b(
          t: \"""
          x
          y
          \"""
        )
      }

      """
    let result = try #require(Formatting.format(ContiguousArray(text.utf8)))
    #expect(result.elementsEqual(expected.replacing("\n", with: lineEnd).utf8))
  }
}
