; Lists, which may be shared and cyclic: one rule in each method. Loops are recursions.
((class Node
   ([Node next] [bool flag])
   (
    ; A field of one input, written and read through another.
    (bool write_read [Node x]
      (begin
        (this $ flag := true)
        (x $ flag)))

    (bool write_write_read [Node x]
      (var Node y := (this $ next) in
        (begin
          (y $ flag := true)
          (x $ flag := false)
          (y $ flag))))

    ; Reads behind reads.
    (Node third [Node x]
      (((this $ next) $ next) $ next))

    ; A reference that is stored is read through another input.
    (Node store_read [Node x]
      (begin
        (this $ next := x)
        (((x $ next) $ next) $ next)))

    ; What is read first is kept while it is stored over.
    (bool swap [Node x]
      (if (x = null)
          false
        else
          (var Node mine := (this $ next) in
            (begin
              (this $ next := (x $ next))
              (x $ next := mine)
              ((this $ next) = (x $ next))))))

    ; Stores whose targets are found in what was stored.
    (Node relink [Node x]
      (var Node second := (this $ next) in
        (begin
          (second $ next := x)
          (x $ next := (this $ next))
          (x $ flag := (this $ flag))
          (second $ next))))

    ; Numbers are carried from one input to the other and back.
    (bool carry [Node x]
      (var bool mine := (this $ flag) in
        (begin
          (this $ flag := (x $ flag))
          (x $ flag := mine)
          (if (this $ flag) ((x $ next) = this) else ((this $ next) = x)))))

    ; Comparisons of inputs, of their fields, and of what follows from both.
    (bool compare [Node x]
      (if (this = x)
          ((this $ next) = (x $ next))
        else
          (if ((this $ next) = x)
              (((this $ next) $ next) = this)
            else
              ((this $ next) = this))))

    (bool same_next [Node x]
      (if (x = null) false else ((this $ next) = (x $ next))))

    (bool nulls [Node x]
      (if (x = null)
          ((this $ next) = null)
        else
          (if ((x $ next) = null)
              (if ((this $ next) = null) (x = this) else (this $ flag))
            else
              ((this $ next) = null))))

    ; Searches.
    (bool contains [Node x]
      (if (this = x)
          true
        else
          (if ((this $ next) = null)
              false
            else
              ((this $ next) @ contains x))))

    (Node flagged [Node stop]
      (if (this $ flag)
          this
        else
          (if ((this $ next) = stop)
              null
            else
              ((this $ next) @ flagged stop))))

    ; Changes of the list.
    (Node insert [Node x]
      (var Node fresh := (new Node) in
        (begin
          (fresh $ next := (this $ next))
          (fresh $ flag := (x $ flag))
          (this $ next := fresh)
          ((x $ next) $ next))))

    (Node remove [Node x]
      (if ((this $ next) = null)
          null
        else
          (if ((this $ next) = x)
              (begin
                (this $ next := (x $ next))
                (x $ next := null)
                x)
            else
              ((this $ next) @ remove x))))

    (Node reverse [Node done]
      (var Node rest := (this $ next) in
        (begin
          (this $ next := done)
          (if (rest = null) this else (rest @ reverse this)))))

    ; Marks what it meets until it meets a mark, so it ends on cycles too.
    (bool mark [Node x]
      (if (this $ flag)
          (this = x)
        else
          (begin
            (this $ flag := true)
            (if ((this $ next) = null) (x $ flag) else ((this $ next) @ mark x)))))

    ; Objects that the program makes: stored in inputs, reached through them, compared with them.
    (bool made [Node x]
      (var Node a := (new Node) in
        (var Node b := (new Node) in
          (begin
            (a $ next := x)
            (this $ next := a)
            (x $ next := b)
            (b $ flag := ((this $ next) = a))
            (if ((((this $ next) $ next) $ next) = b)
                ((x $ next) $ flag)
              else
                ((this $ next) = b))))))

    ; A variable that is one of two inputs is written through.
    (bool either [Node x]
      (var Node chosen := (if (this $ flag) this else x) in
        (begin
          (chosen $ next := null)
          (if ((this $ next) = null) ((x $ next) = null) else (x $ flag)))))

    ; Nothing of an input is looked at until it is used in the end.
    (bool late [Node x]
      (var Node y := (x $ next) in
        (begin
          (this $ next := y)
          (this $ flag := true)
          (y $ flag)))))))
