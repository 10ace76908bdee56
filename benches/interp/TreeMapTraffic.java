import java.util.Map;
import java.util.TreeMap;

/** Search trees: boxed keys by their own order, string keys by a comparator, neighbours, removal, walks. */
public class TreeMapTraffic {
    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 25_000;
        TreeMap<Integer, Integer> tree = new TreeMap<>();
        int seed = 1;
        long sum = 0;
        for (int i = 0; i < n; i++) {
            seed = seed * 1103515245 + 12345;
            int key = (seed >>> 8) % 20_000;
            tree.put(key, i);
            Integer below = tree.lowerKey(key);
            if (below != null) {
                sum += key - below;
            }
            if ((i & 3) == 3) {
                Map.Entry<Integer, Integer> e = tree.ceilingEntry(key / 2);
                sum += e.getValue();
                tree.remove(e.getKey());
            }
        }
        for (Map.Entry<Integer, Integer> e : tree.entrySet()) {
            sum = sum * 31 + e.getKey() + e.getValue();
        }
        for (int k : tree.subMap(1000, true, 3000, false).descendingMap().keySet()) {
            sum = sum * 31 + k;
        }

        TreeMap<String, Integer> names = new TreeMap<>((a, b) -> b.compareTo(a));
        String[] keys = new String[1000];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = "key" + i * 7919 % 1000;
        }
        for (int i = 0; i < n / 4; i++) {
            String k = keys[i % keys.length];
            Integer old = names.get(k);
            names.put(k, old == null ? i : old ^ i);
        }
        for (Map.Entry<String, Integer> e : names.entrySet()) {
            sum = sum * 31 + e.getKey().length() + e.getValue();
        }
        System.out.println("TreeMapTraffic " + n + " " + sum + " " + tree.size() + " " + names.firstKey());
    }
}
