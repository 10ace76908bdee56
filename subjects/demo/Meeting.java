package demo;

import dalang.Verify;

/** A time span, in seconds, and the moment in the middle when there will be coffee. */
public class Meeting {
    final int start;
    final int end;

    Meeting(int start, int end) {
        this.start = start;
        this.end = end;
    }

    int middle() {
        return (start + end) / 2;
    }

    /** Coffee comes during the meeting. What could go wrong with an average? */
    void coffeeIsDuringTheMeeting() {
        Verify.assume(0 <= start && start <= end);
        int coffee = middle();
        Verify.check(start <= coffee && coffee <= end, "the coffee is cold");
    }
}
