import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** The objects and inputs of a witness: first allocated, then filled, so that they can form circles. */
final class Given {
    private final World world;
    private final List<String[]> specifications = new ArrayList<>();
    private final List<String> inputs = new ArrayList<>();
    private final List<String[]> assignments = new ArrayList<>();
    private Object[] objects;

    Given(World world) {
        this.world = world;
    }

    /** A line: the word, the class, what it is, and that. */
    void object(String[] words) {
        specifications.add(words);
    }

    void input(String value) {
        inputs.add(value);
    }

    /** A line: the word, the value, the class and name of a static field, and the steps from there. */
    void assignment(String[] words) {
        assignments.add(words);
    }

    /** The receiver, if there is one, and the arguments. */
    Object[] values(Method method) throws ReflectiveOperationException {
        objects = new Object[specifications.size()];
        for (String[] words : assignments) {
            keep(words);
        }
        for (int place = 0; place < objects.length; place++) {
            allocate(place);
        }
        for (int place = 0; place < objects.length; place++) {
            fill(objects[place], specifications.get(place));
        }
        List<Class<?>> kinds = new ArrayList<>();
        if (!Modifier.isStatic(method.getModifiers())) {
            kinds.add(method.getDeclaringClass());
        }
        kinds.addAll(List.of(method.getParameterTypes()));
        Object[] values = new Object[kinds.size()];
        for (int place = 0; place < values.length; place++) {
            values[place] = value(inputs.get(place), kinds.get(place));
        }
        for (String[] words : assignments) {
            assign(words);
        }
        return values;
    }

    /** A final field keeps its object: what the witness says of that is what it has in it. */
    private void keep(String[] words) throws ReflectiveOperationException {
        Field field = first(words, 2);
        if (words.length == 4 && Modifier.isFinal(field.getModifiers())) {
            objects[Integer.parseInt(words[1].substring(1)) - 1] = field.get(null);
        }
    }

    private static Field first(String[] words, int from) throws ReflectiveOperationException {
        Field field = Class.forName(words[from]).getDeclaredField(words[from + 1]);
        field.setAccessible(true);
        return field;
    }

    /** Goes to the object that has the field or element, and sets that. */
    private void assign(String[] words) throws ReflectiveOperationException {
        if (words.length == 4) {
            Field first = first(words, 2);
            if (Modifier.isFinal(first.getModifiers())) {
                return;
            }
            World.set(first, null, value(words[1], first.getType()));
            return;
        }
        Object owner = held(words, 2, words.length - 2);
        String last = words[words.length - 1];
        if (words[words.length - 2].equals("element")) {
            Class<?> kind = owner.getClass().getComponentType();
            Array.set(owner, Integer.parseInt(last), value(words[1], kind));
        } else {
            Field field = field(owner.getClass(), last);
            World.set(field, owner, value(words[1], field.getType()));
        }
    }

    private void allocate(int place) throws ReflectiveOperationException {
        if (objects[place] != null) {
            return;
        }
        String[] words = specifications.get(place);
        Class<?> type = type(words[1]);
        objects[place] = switch (words[2]) {
            case "array" -> Array.newInstance(type.getComponentType(), Integer.parseInt(words[3]));
            case "text" -> new String(text(words[3]));
            case "interned" -> text(words[3]).intern();
            case "boxed" -> box(type, words[3], false);
            case "cached" -> box(type, words[3], true);
            case "constant" -> constant(type, words[3]);
            case "static" -> held(words, 3, words.length);
            default -> type.isRecord() ? record(type, words) : world.allocate(type);
        };
    }

    private Object record(Class<?> type, String[] words) throws ReflectiveOperationException {
        Field[] fields = world.fields(type);
        Object[] components = new Object[fields.length];
        for (int place = 0; place < fields.length; place++) {
            components[place] = zero(fields[place].getType());
            for (int at = 3; at + 1 < words.length; at += 2) {
                if (!words[at].equals(fields[place].getName())) {
                    continue;
                }
                if (words[at + 1].startsWith("O")) {
                    allocate(Integer.parseInt(words[at + 1].substring(1)) - 1);
                }
                components[place] = value(words[at + 1], fields[place].getType());
            }
        }
        return world.record(type, components);
    }

    private static Object zero(Class<?> type) {
        return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
    }

    private static Object constant(Class<?> type, String name) throws ReflectiveOperationException {
        Class<?> host = type.isEnum() ? type : type.getSuperclass();
        Field field = host.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(null);
    }

    /** The object that a static field leads to: its class, its name, and the steps from there. */
    private Object held(String[] words, int from, int to) throws ReflectiveOperationException {
        Object found = first(words, from).get(null);
        for (int at = from + 2; at + 1 < to; at += 2) {
            found = words[at].equals("element")
                    ? Array.get(found, Integer.parseInt(words[at + 1]))
                    : World.get(field(found.getClass(), words[at + 1]), found);
        }
        return found;
    }

    private Object box(Class<?> type, String text, boolean cached) throws ReflectiveOperationException {
        Class<?> inner = (Class<?>) type.getField("TYPE").get(null);
        Object value = value(text, inner);
        if (cached) {
            return type.getMethod("valueOf", inner).invoke(null, value);
        }
        Constructor<?> made = type.getConstructor(inner);
        return made.newInstance(value);
    }

    private static String text(String units) {
        char[] chars = new char[units.length() / 4];
        for (int place = 0; place < chars.length; place++) {
            chars[place] = (char) Integer.parseInt(units.substring(4 * place, 4 * place + 4), 16);
        }
        return new String(chars);
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        if (name.endsWith("[]")) {
            return Array.newInstance(type(name.substring(0, name.length() - 2)), 0).getClass();
        }
        return switch (name) {
            case "int" -> int.class;
            case "long" -> long.class;
            case "short" -> short.class;
            case "byte" -> byte.class;
            case "char" -> char.class;
            case "float" -> float.class;
            case "double" -> double.class;
            case "boolean" -> boolean.class;
            default -> Class.forName(name);
        };
    }

    private void fill(Object object, String[] words) {
        if (words[2].equals("array")) {
            Class<?> kind = object.getClass().getComponentType();
            for (int at = 4; at + 1 < words.length; at += 2) {
                Array.set(object, Integer.parseInt(words[at]), value(words[at + 1], kind));
            }
        } else if (words[2].equals("fields") && !object.getClass().isRecord()) {
            for (int at = 3; at + 1 < words.length; at += 2) {
                Field field = field(object.getClass(), words[at]);
                World.set(field, object, value(words[at + 1], field.getType()));
            }
        }
    }

    /** A field by its name, after its class if that is not the lowest that has one. */
    private Field field(Class<?> type, String name) {
        int dot = name.lastIndexOf('.');
        Field[] fields = world.fields(type);
        for (int place = fields.length - 1; place >= 0; place--) {
            Field field = fields[place];
            boolean isOwner = dot < 0
                    || field.getDeclaringClass().getName().equals(name.substring(0, dot));
            if (isOwner && field.getName().equals(name.substring(dot + 1))) {
                return field;
            }
        }
        return libraryField(type, name.substring(dot + 1));
    }

    /** The same for a class of the library, whose fields only a witness sets. */
    private static Field libraryField(Class<?> type, String name) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (field.getName().equals(name) && !Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        throw new IllegalArgumentException(type + " has no field " + name);
    }

    /** A value: a letter for what it is, then that. */
    private Object value(String text, Class<?> kind) {
        String rest = text.substring(1);
        return switch (text.charAt(0)) {
            case 'N' -> null;
            case 'Z' -> rest.equals("true");
            case 'I' -> integer(Long.parseLong(rest), kind);
            case 'C' -> (char) Integer.parseInt(rest);
            case 'F' -> Float.intBitsToFloat(Integer.parseUnsignedInt(rest));
            case 'D' -> Double.longBitsToDouble(Long.parseUnsignedLong(rest));
            case 'O' -> objects[Integer.parseInt(rest) - 1];
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static Object integer(long value, Class<?> kind) {
        if (kind == long.class) {
            return value;
        } else if (kind == short.class) {
            return (short) value;
        } else if (kind == byte.class) {
            return (byte) value;
        }
        return (int) value;
    }
}
