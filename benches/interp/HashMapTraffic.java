import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/** Hash tables: boxed and string keys, growth, hits and misses, removal, and walks. */
public class HashMapTraffic {
    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        Map<Integer, Integer> counts = new HashMap<>();
        int seed = 1;
        for (int i = 0; i < n; i++) {
            seed = seed * 1103515245 + 12345;
            int key = (seed >>> 12) % 5000;
            Integer old = counts.get(key);
            counts.put(key, old == null ? 1 : old + 1);
        }
        long sum = 0;
        for (Map.Entry<Integer, Integer> e : counts.entrySet()) {
            sum += (long) e.getKey() * e.getValue();
        }
        for (int i = 0; i < n; i++) {
            if (counts.containsKey(i * 3)) {
                sum++;
            }
        }

        String[] names = new String[500];
        for (int i = 0; i < names.length; i++) {
            names[i] = "name" + i * i;
        }
        Map<String, Integer> index = new HashMap<>();
        for (int i = 0; i < n; i++) {
            String name = names[i % names.length];
            if ((i & 15) == 15) {
                index.remove(name);
            } else {
                index.merge(name, i & 7, Integer::sum);
            }
        }
        for (String name : names) {
            sum = sum * 31 + index.getOrDefault(name, -1);
        }
        int removed = 0;
        for (Iterator<Integer> it = counts.values().iterator(); it.hasNext();) {
            if (it.next() % 2 == 0) {
                it.remove();
                removed++;
            }
        }
        System.out.println("HashMapTraffic " + n + " " + sum + " " + removed + " " + counts.size() + " " + index.size());
    }
}
