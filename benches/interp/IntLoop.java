/** Arithmetic on local ints: multiplication, shifts, masks, remainders and branches. */
public class IntLoop {
    static int run(int n) {
        int a = 1;
        int b = 0x12345678;
        int hits = 0;
        for (int i = 0; i < n; i++) {
            a = a * 31 + i;
            b ^= b << 13;
            b ^= b >>> 17;
            b ^= b << 5;
            if (((a ^ b) & 7) == 0) {
                hits++;
            }
            a -= b % 1000 - i / 3;
        }
        return a ^ b ^ hits;
    }

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 5_000_000;
        System.out.println("IntLoop " + n + " " + run(n));
    }
}
