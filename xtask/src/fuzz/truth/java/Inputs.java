import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Random inputs within the bounds: small numbers, such at the ends of their range, such near a number
 * of the program; objects that are shared, form circles, or are null.
 */
final class Inputs {
    private static final long[] ENDS = {
        Integer.MAX_VALUE, Integer.MIN_VALUE, 127, -128, 128, 255, 65535, 32767, -32768,
        Long.MAX_VALUE, Long.MIN_VALUE, 1L << 31, 1L << 32, 1 << 30,
    };
    private static final float[] FLOATS = {
        0f, -0f, 1f, -1f, 0.5f, 2f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY,
        Float.MIN_VALUE, Float.MAX_VALUE, 1e10f, 16777216f, -2f,
    };
    private static final double[] DOUBLES = {
        0.0, -0.0, 1.0, -1.0, 0.5, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
        Double.MIN_VALUE, Double.MAX_VALUE, 1e300, 9007199254740992.0, 1e-300,
    };
    private static final String LETTERS = "ab07 ZAB";
    /** Nested objects beyond this are null or shared. */
    private static final int DEEP = 6;

    private final World world;
    private final int array;
    private final int string;
    private final int most;
    private final long[] numbers;
    private final String[] texts;
    /** Static fields that are inputs. */
    private final List<Field> statics = new ArrayList<>();
    /** What static fields keep whose contents are inputs. */
    private final List<Object> stirred = new ArrayList<>();
    private final Map<Class<?>, List<Class<?>>> below = new HashMap<>();

    private long state;
    private int depth;
    /** The likelihood of null, of sharing: different from input to input. */
    private int nulls;
    private int shares;
    private final List<Object> made = new ArrayList<>();
    private final Map<Class<?>, Integer> counts = new HashMap<>();

    /**
     * A line: the word, the longest array, the longest string, the most objects, numbers, texts, static
     * fields that are inputs, static fields that keep something whose contents are.
     */
    Inputs(World world, String[] words) throws ReflectiveOperationException {
        this.world = world;
        array = Integer.parseInt(words[1]);
        string = Integer.parseInt(words[2]);
        most = words[3].isEmpty() ? 4 : Integer.parseInt(words[3]);
        numbers = java.util.Arrays.stream(words[4].split(",")).mapToLong(Long::parseLong).toArray();
        texts = words[5].split(",", -1);
        for (String name : words[6].isEmpty() ? new String[0] : words[6].split(",")) {
            Field field = Class.forName(world.group).getDeclaredField(name);
            field.setAccessible(true);
            statics.add(field);
        }
        for (String name : words[7].isEmpty() ? new String[0] : words[7].split(",")) {
            Field field = Class.forName(world.group).getDeclaredField(name);
            field.setAccessible(true);
            stirred.add(World.get(field, null));
        }
    }

    /** Writes into what a static field keeps, as the method `stir` of the group can. */
    private void stir(Object kept) {
        if (kept instanceof int[] numbers) {
            for (int index = 0; index < numbers.length; index++) {
                numbers[index] = (int) number();
            }
        } else if (world.owns(kept.getClass().getName())) {
            // A field of a subclass can have the same name, and comes later.
            for (Field field : world.fields(kept.getClass())) {
                if (field.getName().equals("a")) {
                    World.set(field, kept, (int) number());
                    return;
                }
            }
        } else {
            for (Object one : World.held(kept)) {
                if (one != null && below(2) == 0) {
                    stir(one);
                }
            }
        }
    }

    /** Starts an input. */
    void begin(long seed, int place) {
        state = seed * 0x9e3779b97f4a7c15L + place * 0xbf58476d1ce4e5b9L;
        depth = 0;
        made.clear();
        counts.clear();
        nulls = new int[] {3, 5, 9, 40}[below(4)];
        shares = new int[] {2, 3, 6, 40}[below(4)];
        for (Field field : statics) {
            World.set(field, null, value(field.getType()));
        }
        for (Object kept : stirred) {
            if (below(2) == 0) {
                stir(kept);
            }
        }
    }

    /** The static fields that are inputs, as they are now. */
    String statics(Picture picture) {
        StringBuilder text = new StringBuilder();
        for (Field field : statics) {
            text.append(", ").append(field.getName()).append(" = ");
            text.append(picture.of(java.util.Collections.singletonList(World.get(field, null))));
        }
        for (Object kept : stirred) {
            text.append(", kept ").append(picture.of(java.util.Collections.singletonList(kept)));
        }
        return text.toString();
    }

    private long next() {
        state += 0x9e3779b97f4a7c15L;
        long mixed = state;
        mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }

    private int below(int bound) {
        return (int) ((next() >>> 33) % bound);
    }

    private long number() {
        return switch (below(10)) {
            case 0, 1, 2, 3 -> below(9) - 3;
            case 4, 5, 6 -> numbers[below(numbers.length)];
            case 7 -> numbers[below(numbers.length)] + below(3) - 1;
            case 8 -> ENDS[below(ENDS.length)];
            default -> next() >> below(64);
        };
    }

    Object value(Class<?> kind) {
        if (!kind.isPrimitive()) {
            return reference(kind);
        } else if (kind == int.class) {
            return (int) number();
        } else if (kind == long.class) {
            return number();
        } else if (kind == short.class) {
            return (short) number();
        } else if (kind == byte.class) {
            return (byte) number();
        } else if (kind == char.class) {
            return letter();
        } else if (kind == boolean.class) {
            return below(2) == 0;
        } else if (kind == float.class) {
            return below(4) > 0 ? FLOATS[below(FLOATS.length)]
                    : below(2) == 0 ? (float) number() : Float.intBitsToFloat((int) next());
        }
        return below(4) > 0 ? DOUBLES[below(DOUBLES.length)]
                : below(2) == 0 ? (double) number() : Double.longBitsToDouble(next());
    }

    private char letter() {
        return below(6) == 0 ? (char) number() : LETTERS.charAt(below(LETTERS.length()));
    }

    private Object reference(Class<?> kind) {
        if (below(nulls) == 0) {
            return null;
        }
        if (kind == Object.class && below(3) == 0) {
            return plain();
        }
        if (kind == String.class) {
            return text();
        } else if (kind == Integer.class || kind == Long.class) {
            return box(kind);
        }
        return object(kind);
    }

    /** What an `Object` can be besides those of the group's classes. */
    private Object plain() {
        return switch (below(6)) {
            case 0 -> text();
            case 1 -> box(Integer.class);
            case 2 -> object(int[].class);
            case 3 -> box(Long.class);
            default -> new Object();
        };
    }

    private Object box(Class<?> kind) {
        if (below(shares) == 0) {
            Object known = shared(kind);
            if (known != null) {
                return known;
            }
        }
        Object box = kind == Integer.class ? (Object) integer() : (Object) number();
        made.add(box);
        return box;
    }

    /** A box that the library keeps or makes, or one of its own. */
    @SuppressWarnings("removal")
    private Integer integer() {
        int value = (int) number();
        return below(3) == 0 ? new Integer(value) : Integer.valueOf(value);
    }

    private String text() {
        if (below(shares) == 0 && shared(String.class) instanceof String known) {
            return known;
        }
        String text = switch (below(4)) {
            case 0, 1 -> texts[below(texts.length)];
            case 2 -> texts[below(texts.length)] + letter();
            default -> letters();
        };
        text = text.length() > string ? text.substring(0, string) : text;
        text = below(2) == 0 ? text.intern() : new String(text);
        made.add(text);
        return text;
    }

    private String letters() {
        StringBuilder letters = new StringBuilder();
        for (int left = below(string + 1); left > 0; left--) {
            letters.append(letter());
        }
        return letters.toString();
    }

    /** Something made before that fits, or null. */
    private Object shared(Class<?> kind) {
        if (made.isEmpty()) {
            return null;
        }
        int start = below(made.size());
        for (int turn = 0; turn < made.size(); turn++) {
            Object one = made.get((start + turn) % made.size());
            if (kind.isInstance(one)) {
                return one;
            }
        }
        return null;
    }

    /** An object of a class or below it; null only if the bounds allow no more. */
    Object object(Class<?> kind) {
        if (below(shares) == 0 || depth > DEEP) {
            Object known = shared(kind);
            if (known != null || depth > DEEP) {
                return known;
            }
        }
        List<Class<?>> all = below.computeIfAbsent(kind, this::classesBelow);
        if (all.isEmpty()) {
            return null;
        }
        int start = below(all.size());
        for (int turn = 0; turn < all.size(); turn++) {
            Class<?> type = all.get((start + turn) % all.size());
            if (type.isEnum()) {
                Object[] constants = type.getEnumConstants();
                return constants[below(constants.length)];
            }
            if (counts.merge(type, 1, Integer::sum) <= most) {
                depth++;
                Object one = type.isArray() ? array(type) : instance(type);
                depth--;
                return one;
            }
        }
        return shared(kind);
    }

    private List<Class<?>> classesBelow(Class<?> kind) {
        List<Class<?>> all = new ArrayList<>();
        if (kind.isArray()) {
            all.add(kind);
            Class<?> part = kind.getComponentType();
            for (Class<?> type : world.concrete) {
                if (type != part && part != Object.class && part.isAssignableFrom(type)) {
                    all.add(Array.newInstance(type, 0).getClass());
                }
            }
            return all;
        }
        for (Class<?> type : world.concrete) {
            if (kind.isAssignableFrom(type)) {
                all.add(type);
            }
        }
        for (Class<?> type : world.classes) {
            if (type.isEnum() && kind.isAssignableFrom(type)) {
                all.add(type);
            }
        }
        return all;
    }

    private Object instance(Class<?> type) {
        Field[] fields = world.fields(type);
        if (type.isRecord()) {
            Object[] components = new Object[fields.length];
            for (int place = 0; place < fields.length; place++) {
                components[place] = value(fields[place].getType());
            }
            Object one = world.record(type, components);
            made.add(one);
            return one;
        }
        Object one = world.allocate(type);
        made.add(one);
        for (Field field : fields) {
            World.set(field, one, value(field.getType()));
        }
        return one;
    }

    private Object array(Class<?> type) {
        int length = below(array + 1);
        Object one = Array.newInstance(type.getComponentType(), length);
        made.add(one);
        for (int index = 0; index < length; index++) {
            Array.set(one, index, value(type.getComponentType()));
        }
        return one;
    }
}
