;; extends

; graphql("…")
((call_expression
  (simple_identifier) @_name
  (call_suffix
    (value_arguments
      (value_argument
        value: (line_string_literal) @injection.content))))
  (#eq? @_name "graphql")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.include-children)
  (#set! injection.language "graphql"))

; graphql("""…""")
((call_expression
  (simple_identifier) @_name
  (call_suffix
    (value_arguments
      (value_argument
        value: (multi_line_string_literal) @injection.content))))
  (#eq? @_name "graphql")
  (#offset! @injection.content 0 3 0 -3)
  (#set! injection.include-children)
  (#set! injection.language "graphql"))

; graphql(#"…"#)
((call_expression
  (simple_identifier) @_name
  (call_suffix
    (value_arguments
      (value_argument
        value: (raw_string_literal) @injection.content))))
  (#eq? @_name "graphql")
  (#not-lua-match? @injection.content "^#\"\"\"")
  (#offset! @injection.content 0 2 0 -2)
  (#set! injection.include-children)
  (#set! injection.language "graphql"))

; graphql(#"""…"""#)
((call_expression
  (simple_identifier) @_name
  (call_suffix
    (value_arguments
      (value_argument
        value: (raw_string_literal) @injection.content))))
  (#eq? @_name "graphql")
  (#lua-match? @injection.content "^#\"\"\"")
  (#offset! @injection.content 0 4 0 -4)
  (#set! injection.include-children)
  (#set! injection.language "graphql"))
