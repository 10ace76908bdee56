package demo;

/** Songs in the order in which they will be played. Taking one out works, in all the tests we had. */
public class Playlist {
    static class Song {
        int id;
        Song next;
    }

    Song first;

    /** Takes a song out of the list. A song that is not in the list is no reason to complain. */
    void remove(int id) {
        if (first == null) {
            return;
        }
        if (first.id == id) {
            first = first.next;
            return;
        }
        Song before = first;
        while (before.next.id != id) { // past the last song there is nothing to ask for its id
            before = before.next;
        }
        before.next = before.next.next;
    }
}
