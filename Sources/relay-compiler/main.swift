print("relay-compiler")
