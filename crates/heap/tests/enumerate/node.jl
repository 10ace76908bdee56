; The objects that heaps of these tests are made of.
((class Node ([Node next] [bool flag]) ()))
