/** Strings: appends to a builder, concatenation, searching, cutting and hashing what came out. */
public class StringBuilding {
    static String line(int i) {
        return "item " + i + ": " + (i * 7L) + (i % 2 == 0 ? " even" : " odd") + '.';
    }

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 20_000;
        StringBuilder sb = new StringBuilder();
        int hash = 0;
        int found = 0;
        for (int i = 0; i < n; i++) {
            String s = line(i);
            sb.append(s).append('\n').append(i).append(',').append(i % 3 == 0);
            hash = hash * 31 + s.hashCode();
            if (s.indexOf("7: ") > 0) {
                found++;
            }
            if (sb.length() > 1000) {
                String text = sb.toString();
                int at = text.indexOf('\n');
                hash += text.substring(at + 1).hashCode();
                sb.reverse();
                hash += sb.charAt(at);
                sb.setLength(0);
            }
        }
        int spaces = 0;
        String all = sb.insert(0, "rest ").toString();
        for (int i = 0; i < all.length(); i++) {
            if (all.charAt(i) == ' ') {
                spaces++;
            }
        }
        System.out.println("StringBuilding " + n + " " + hash + " " + found + " " + spaces);
    }
}
