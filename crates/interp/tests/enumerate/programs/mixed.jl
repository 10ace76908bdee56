; Objects of two classes, and four inputs at a time.
((class Item
   ([bool value] [Box home])
   ((Item settle [Box box]
      (begin
        (this $ home := box)
        ((box $ item) $ home)
        ((this $ home) $ item)))))

 (class Box
   ([Item item] [Box other])
   (
    ; A field of an object in a field, after the object was put elsewhere.
    (bool share [Box x]
      (begin
        (this $ item := (x $ item))
        (var Item mine := (this $ item) in
          (mine $ value := true))
        ((x $ item) $ value)))

    ; References of two classes are the same if both are null.
    (bool apart [Item x]
      (if ((this $ other) = x) ((this $ item) = x) else ((this $ item) = (this $ other))))

    ; A new object takes the place of one that others still have.
    (Box replace [Item x]
      (var Box b := (this $ other) in
        (var Item fresh := (new Item) in
          (begin
            (fresh $ home := this)
            (fresh $ value := (x $ value))
            (b $ item := fresh)
            ((this $ item) $ home)))))))

 (class Four
   ([Cell a] [Cell b] [Cell c])
   (
    (bool chain [bool value]
      (var Cell a := (this $ a) in
        (var Cell b := (this $ b) in
          (var Cell c := (this $ c) in
            (begin
              (a $ to := b)
              (b $ to := c)
              (c $ on := value)
              (((a $ to) $ to) $ on))))))

    ; Which of three are the same, and what was stored in between.
    (bool between [bool value]
      (var Cell a := (this $ a) in
        (begin
          (a $ on := true)
          (if ((this $ b) = a)
              ((this $ c) $ on)
            else
              (begin
                (var Cell c := (this $ c) in (c $ on := value))
                ((this $ b) $ on))))))

    ; Writes through the older of two aliases after the younger was read.
    (bool older [bool value]
      (var bool before := ((this $ b) $ on) in
        (var Cell a := (this $ a) in
          (var Cell c := (this $ c) in
            (begin
              (a $ on := before)
              (c $ on := value)
              (if ((this $ b) $ on) (a $ on) else before))))))))

 (class Cell ([Cell to] [bool on]) ()))
