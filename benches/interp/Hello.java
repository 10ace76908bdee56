/** What starting the machine and printing one line costs; the scale is how many lines. */
public class Hello {
    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 1;
        for (int i = 0; i < n; i++) {
            System.out.println("Hello, world");
        }
    }
}
