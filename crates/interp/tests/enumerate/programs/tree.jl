; Objects with two references, which may be trees, graphs and cycles.
((class Tree
   ([Tree left] [Tree right] [bool mark])
   (
    (Tree rotate [Tree x]
      (var Tree top := (this $ left) in
        (begin
          (this $ left := (top $ right))
          (top $ right := this)
          ((x $ right) $ left))))

    (bool mirror [Tree x]
      (var Tree l := (this $ left) in
        (begin
          (this $ left := (this $ right))
          (this $ right := l)
          ((x $ left) = (x $ right)))))

    ; Goes down to where there is room.
    (Tree add [Tree x]
      (if (this $ mark)
          (if ((this $ left) = null) (begin (this $ left := x) this) else ((this $ left) @ add x))
        else
          (if ((this $ right) = null) (begin (this $ right := (new Tree)) (this $ right)) else ((this $ right) @ add x))))

    ; Everything that can be reached, each object once.
    (bool reach [Tree x]
      (if (this $ mark)
          (this = x)
        else
          (begin
            (this $ mark := true)
            (if ((this $ left) = null) true else ((this $ left) @ reach x))
            (if ((this $ right) = null) (this = x) else ((this $ right) @ reach x)))))

    ; Cousins through both references.
    (bool cousins [Tree x]
      (begin
        ((this $ left) @ put true)
        ((x $ right) @ put false)
        ((this $ left) $ mark)))

    (bool put [bool value]
      (this $ mark := value)))))
