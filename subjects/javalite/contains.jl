; Looks for objects in a list, one after the other, until one is missing (the example in Figs. 1 and 2
; of the papers on heap summaries); papers/ContainsList.java in Javalite. The loop is a recursion, and
; `&&` an if. The list may be anything, so bound its nodes with --n.
((class Data ([bool val]) ())

 (class Node
   ([Data elem] [Node next])
   ((bool contains [Data val]
      (if ((this $ elem) = val)
          true
        else
          (if ((this $ next) = null)
              false
            else
              ((this $ next) @ contains val))))))

 (class ContainsList
   ([Node head] [Data data0] [Data data1])
   ((bool run1 [bool ignored]
      ((this $ head) @ contains (this $ data0)))
    (bool run2 [bool ignored]
      (if ((this $ head) @ contains (this $ data0))
          ((this $ head) @ contains (this $ data1))
        else
          false)))))
