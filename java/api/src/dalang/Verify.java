package dalang;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.Random;

/**
 * What a program under analysis can say to dalang, and what dalang can give to it.
 *
 * <p>Under {@code dalang check} the methods of this class are not executed but understood:
 *
 * <ul>
 *   <li>{@link #assume assume} leaves out the executions in which its argument is false;
 *   <li>{@link #check(boolean) check} and {@link #unreachable() unreachable} report a violation
 *       when some execution makes the argument false, or gets there at all;
 *   <li>the methods {@code any...} give a value that stands for all values of its type;
 *   <li>{@link #isSymbolic(int) isSymbolic} says whether a value is not known;
 *   <li>{@link #field field} and its siblings read a field whatever its access, so that an invariant
 *       can be written for a class that keeps its fields to itself.
 * </ul>
 *
 * <p>Run by plain {@code java}, the same program is a random test: {@code any...} gives random
 * values, reproducible by the system property {@code dalang.seed} (a {@code long}, 0 if it is not
 * set); an assumption that does not hold ends the run by throwing {@link Assumed}; and a check that
 * does not hold throws an {@link AssertionError}, whether or not {@code -ea} is given.
 *
 * <p>The class depends on nothing but {@code java.base} and may be copied into any project.
 */
public final class Verify {
    /** Where random values come from when nothing symbolic is around. */
    private static final Random RANDOM = new Random(Long.getLong("dalang.seed", 0L));

    private Verify() {}

    /**
     * Ends an execution, under plain {@code java}, whose assumption does not hold.
     *
     * <p>It is unchecked, so that no signature has to name it, and it carries no stack trace and no
     * message of its own: nothing went wrong. A test driver that runs a harness many times catches
     * it and goes on; a program that does not is ended by it. Code under analysis should not catch
     * it, and never sees it under {@code dalang check}.
     */
    public static final class Assumed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Assumed() {
            super("an assumption does not hold", null, false, false);
        }
    }

    // ---- what holds, and what must hold ----

    /**
     * Restricts the analysis to executions in which {@code condition} is true here.
     *
     * @param condition what may be taken for granted from here on
     * @throws Assumed under plain {@code java}, if it is false
     */
    public static void assume(boolean condition) {
        if (!condition) {
            throw new Assumed();
        }
    }

    /**
     * Demands that {@code condition} is true in every execution that gets here.
     *
     * @param condition what must hold
     * @throws AssertionError if it is false
     */
    public static void check(boolean condition) {
        if (!condition) {
            throw new AssertionError("a check does not hold");
        }
    }

    /**
     * Demands that {@code condition} is true in every execution that gets here.
     *
     * @param condition what must hold
     * @param message what to say if it does not
     * @throws AssertionError with that message, if it is false
     */
    public static void check(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    /**
     * Demands that no execution gets here.
     *
     * @throws AssertionError always
     */
    public static void unreachable() {
        throw new AssertionError("reached what must not be reached");
    }

    /**
     * Demands that no execution gets here.
     *
     * @param message what to say if one does
     * @throws AssertionError with that message, always
     */
    public static void unreachable(String message) {
        throw new AssertionError(message);
    }

    // ---- inputs ----

    /** {@return any boolean} */
    public static boolean anyBoolean() {
        return RANDOM.nextBoolean();
    }

    /** {@return any byte} */
    public static byte anyByte() {
        return (byte) RANDOM.nextInt();
    }

    /** {@return any char, unpaired surrogates included} */
    public static char anyChar() {
        return (char) RANDOM.nextInt();
    }

    /** {@return any short} */
    public static short anyShort() {
        return (short) RANDOM.nextInt();
    }

    /** {@return any int} */
    public static int anyInt() {
        return RANDOM.nextInt();
    }

    /**
     * Any int between two bounds.
     *
     * @param low the smallest value
     * @param high the largest value, itself included
     * @return any int that is at least {@code low} and at most {@code high}
     * @throws Assumed under plain {@code java}, if there is none
     */
    public static int anyInt(int low, int high) {
        assume(low <= high);
        long values = (long) high - low + 1;
        return (int) (low + Math.floorMod(RANDOM.nextLong(), values));
    }

    /** {@return any long} */
    public static long anyLong() {
        return RANDOM.nextLong();
    }

    /** {@return any float: every bit pattern, so also infinities, NaN, -0 and subnormal numbers} */
    public static float anyFloat() {
        return Float.intBitsToFloat(RANDOM.nextInt());
    }

    /** {@return any double: every bit pattern, so also infinities, NaN, -0 and subnormal numbers} */
    public static double anyDouble() {
        return Double.longBitsToDouble(RANDOM.nextLong());
    }

    /** {@return any string, of any characters; never null (under plain {@code java} at most 8 long)} */
    public static String anyString() {
        char[] chars = new char[RANDOM.nextInt(9)];
        for (int i = 0; i < chars.length; i++) {
            chars[i] = RANDOM.nextBoolean() ? (char) (' ' + RANDOM.nextInt(95)) : anyChar();
        }
        return new String(chars);
    }

    /**
     * Any instance of a class or of what is below it, in any state, or null. It may be an object
     * that is reachable from another input.
     *
     * <p>Under plain {@code java} it is null or what {@link #anyNonNull} gives, or null if that has
     * nothing to give.
     *
     * @param type the class
     * @param <T> the class
     * @return any reference of that type
     */
    public static <T> T any(Class<T> type) {
        return RANDOM.nextBoolean() ? null : instance(type);
    }

    /**
     * Any instance of a class or of what is below it, in any state. It may be an object that is
     * reachable from another input.
     *
     * <p>Under plain {@code java} it is what the constructor without parameters makes, a random
     * value for {@code String} and the boxes of primitive types, a random constant of an enum, or
     * an array of zeros with at most 8 elements.
     *
     * @param type the class
     * @param <T> the class
     * @return any reference of that type but null
     * @throws Assumed under plain {@code java}, if there is no such way to make one
     */
    public static <T> T anyNonNull(Class<T> type) {
        T made = instance(type);
        assume(made != null);
        return made;
    }

    private static <T> T instance(Class<T> type) {
        Object value = null;
        T[] constants = type.getEnumConstants();
        if (constants != null) {
            value = constants.length == 0 ? null : constants[RANDOM.nextInt(constants.length)];
        } else if (type.isArray()) {
            value = Array.newInstance(type.getComponentType(), RANDOM.nextInt(9));
        } else if (type == Boolean.class) {
            value = anyBoolean();
        } else if (type == Byte.class) {
            value = anyByte();
        } else if (type == Character.class) {
            value = anyChar();
        } else if (type == Short.class) {
            value = anyShort();
        } else if (type == Integer.class) {
            value = anyInt();
        } else if (type == Long.class) {
            value = anyLong();
        } else if (type == Float.class) {
            value = anyFloat();
        } else if (type == Double.class) {
            value = anyDouble();
        } else if (type == String.class) {
            value = anyString();
        } else {
            try {
                Constructor<T> constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                value = constructor.newInstance();
            } catch (ReflectiveOperationException | InaccessibleObjectException e) {
                return null;
            }
        }
        return type.cast(value);
    }

    // ---- what is known ----

    /**
     * Whether a value is unknown to the analysis: an input, or computed from one.
     *
     * @param value the value
     * @return under plain {@code java} false: there everything is known
     */
    public static boolean isSymbolic(boolean value) {
        return false;
    }

    /**
     * {@return whether a value is unknown}
     *
     * @param value the value, see {@link #isSymbolic(boolean)}
     */
    public static boolean isSymbolic(byte value) {
        return false;
    }

    /**
     * {@return whether a value is unknown}
     *
     * @param value the value, see {@link #isSymbolic(boolean)}
     */
    public static boolean isSymbolic(char value) {
        return false;
    }

    /**
     * {@return whether a value is unknown}
     *
     * @param value the value, see {@link #isSymbolic(boolean)}
     */
    public static boolean isSymbolic(short value) {
        return false;
    }

    /**
     * {@return whether a value is unknown}
     *
     * @param value the value, see {@link #isSymbolic(boolean)}
     */
    public static boolean isSymbolic(int value) {
        return false;
    }

    /**
     * {@return whether a value is unknown}
     *
     * @param value the value, see {@link #isSymbolic(boolean)}
     */
    public static boolean isSymbolic(long value) {
        return false;
    }

    /**
     * {@return whether a value is unknown}
     *
     * @param value the value, see {@link #isSymbolic(boolean)}
     */
    public static boolean isSymbolic(float value) {
        return false;
    }

    /**
     * {@return whether a value is unknown}
     *
     * @param value the value, see {@link #isSymbolic(boolean)}
     */
    public static boolean isSymbolic(double value) {
        return false;
    }

    /**
     * Whether a reference is to an object of the input, or it is not known yet to what. Asking
     * decides nothing: neither whether it is null nor which object it is.
     *
     * @param value the reference
     * @return under plain {@code java} false: there everything is known
     */
    public static boolean isSymbolic(Object value) {
        return false;
    }

    // ---- fields that are not ours ----

    /**
     * The value of an instance field, whatever its access. The field is the one of that name that is
     * declared in the object's class or, if there is none, in the nearest class above it.
     *
     * <p>Under plain {@code java}, a field of a class of the JDK can be read only if its package is
     * opened: {@code java --add-opens java.base/java.util=ALL-UNNAMED ...} for {@code java.util}.
     * Under {@code dalang check} no such option is needed.
     *
     * @param object the object
     * @param name the name of the field
     * @return its value; of a primitive field, its box
     * @throws NullPointerException if the object is null
     * @throws IllegalArgumentException if there is no such field
     * @throws IllegalStateException under plain {@code java}, if its package is not opened
     */
    public static Object field(Object object, String name) {
        try {
            return find(object, name).get(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The value of an instance field of type {@code int}, found as by {@link #field}.
     *
     * @param object the object
     * @param name the name of the field
     * @return its value
     * @throws IllegalArgumentException if there is no such field, or it has another type
     */
    public static int intField(Object object, String name) {
        try {
            return typed(object, name, int.class).getInt(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The value of an instance field of type {@code long}, found as by {@link #field}.
     *
     * @param object the object
     * @param name the name of the field
     * @return its value
     * @throws IllegalArgumentException if there is no such field, or it has another type
     */
    public static long longField(Object object, String name) {
        try {
            return typed(object, name, long.class).getLong(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The value of an instance field of type {@code boolean}, found as by {@link #field}.
     *
     * @param object the object
     * @param name the name of the field
     * @return its value
     * @throws IllegalArgumentException if there is no such field, or it has another type
     */
    public static boolean booleanField(Object object, String name) {
        try {
            return typed(object, name, boolean.class).getBoolean(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Field typed(Object object, String name, Class<?> type) {
        Field field = find(object, name);
        if (field.getType() != type) {
            throw new IllegalArgumentException(
                    "field " + name + " is of type " + field.getType().getTypeName() + ", not " + type.getTypeName());
        }
        return field;
    }

    private static Field find(Object object, String name) {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name) && !Modifier.isStatic(field.getModifiers())) {
                    try {
                        field.setAccessible(true);
                    } catch (InaccessibleObjectException e) {
                        throw new IllegalStateException(
                                "cannot read " + type.getName() + "." + name + " without --add-opens "
                                        + type.getModule().getName() + "/" + type.getPackageName() + "=ALL-UNNAMED",
                                e);
                    }
                    return field;
                }
            }
        }
        throw new IllegalArgumentException("no instance field " + name + " in " + object.getClass().getName());
    }
}
