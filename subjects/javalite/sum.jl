; Visits three objects, any of which may be the same ("POSE", Fig. 1b); papers/Sum.java in Javalite.
;
; Javalite has no numbers. `sum` computes whether an odd number of the four values is true, so it has
; more paths than the original. `visit` only reads the values and has as many, under every policy
; that decides which objects are the same: 15 to a normal end, for the ways to tell four objects
; apart, and 1 + 2 + 5 to a NullPointerException.
(((class Sum
    ([bool val] [Sum s0] [Sum s1] [Sum s2])
    ((bool visit [bool ignored]
       (begin
         ((this $ s0) $ val)
         ((this $ s1) $ val)
         ((this $ s2) $ val)))
     (bool odd [bool so_far]
       (if so_far
           ((this $ val) = false)
         else
           (this $ val)))
     (bool sum [bool ignored]
       (var bool sum := (this $ val) in
         (begin
           (sum := ((this $ s0) @ odd sum))
           (sum := ((this $ s1) @ odd sum))
           ((this $ s2) @ odd sum)))))))
 (Sum sum))
