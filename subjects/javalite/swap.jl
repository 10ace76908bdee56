; Exchanges the data of two objects, if there are two ("POSE", Fig. 1a); papers/Swap.java in Javalite.
; Data are of the class itself, so that they can be the objects too, as those of type Object can.
;
; Complete paths of swap: lazy 21, lazier 7, lazier# 3, one for each way through the program 2.
(((class Swap
    ([Swap data])
    ((bool swap [Swap s]
       (if (s = null)
           false
         else
           (var Swap d := (this $ data) in
             (begin
               (this $ data := (s $ data))
               (s $ data := d)
               true)))))))
 (Swap swap))
