import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import sun.misc.Unsafe;

/**
 * The classes of a group: their fields, objects of them without a constructor, and what their static
 * fields held after initialization.
 */
final class World {
    private static final Unsafe UNSAFE = unsafe();

    final String group;
    /** All of them, initialized. */
    final List<Class<?>> classes = new ArrayList<>();
    /** Those that inputs can be of. */
    final List<Class<?>> concrete = new ArrayList<>();
    private final Map<Class<?>, Field[]> fields = new IdentityHashMap<>();
    private final Map<Class<?>, Constructor<?>> records = new IdentityHashMap<>();
    private final List<Runnable> repairs = new ArrayList<>();

    World(String group, String[] names) throws ReflectiveOperationException {
        this.group = group;
        for (String name : names) {
            Class<?> type = Class.forName(name);
            classes.add(type);
            boolean made = type.isInterface() || Modifier.isAbstract(type.getModifiers())
                    || Throwable.class.isAssignableFrom(type) || Enum.class.isAssignableFrom(type)
                    || type.isSynthetic() || type.isAnonymousClass();
            if (!made) {
                concrete.add(type);
            }
        }
        remember();
    }

    private static Unsafe unsafe() {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (Unsafe) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    boolean owns(String name) {
        return name.equals(group) || name.startsWith(group + "$");
    }

    /** The instance fields of a class, those of its superclasses outside the library first. */
    Field[] fields(Class<?> type) {
        return fields.computeIfAbsent(type, World::collect);
    }

    private static Field[] collect(Class<?> type) {
        List<Field> all = new ArrayList<>();
        for (Class<?> at = type; !at.getName().startsWith("java."); at = at.getSuperclass()) {
            List<Field> own = new ArrayList<>();
            for (Field field : at.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    own.add(field);
                }
            }
            all.addAll(0, own);
        }
        return all.toArray(new Field[0]);
    }

    Object allocate(Class<?> type) {
        try {
            return UNSAFE.allocateInstance(type);
        } catch (InstantiationException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** A record, made of its components. */
    Object record(Class<?> type, Object[] components) {
        try {
            Constructor<?> known = records.get(type);
            if (known == null) {
                RecordComponent[] parts = type.getRecordComponents();
                Class<?>[] kinds = new Class<?>[parts.length];
                for (int place = 0; place < parts.length; place++) {
                    kinds[place] = parts[place].getType();
                }
                known = type.getDeclaredConstructor(kinds);
                known.setAccessible(true);
                records.put(type, known);
            }
            return known.newInstance(components);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static void set(Field field, Object owner, Object value) {
        try {
            field.set(owner, value);
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static Object get(Field field, Object owner) {
        try {
            return field.get(owner);
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Makes static fields, and what is reachable from them, as they were after initialization. */
    void restore() {
        for (Runnable repair : repairs) {
            repair.run();
        }
    }

    /** What a container of the library holds. */
    static List<Object> held(Object container) {
        List<Object> all = new ArrayList<>();
        if (container instanceof Collection<?> some) {
            all.addAll(some);
        } else if (container instanceof Map<?, ?> map) {
            all.addAll(map.values());
        } else if (container instanceof AtomicReference<?> slot) {
            all.add(slot.get());
        }
        return all;
    }

    private void remember() {
        Map<Object, Object> seen = new IdentityHashMap<>();
        for (Class<?> type : classes) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) {
                    continue;
                }
                field.setAccessible(true);
                Object value = get(field, null);
                if (!Modifier.isFinal(field.getModifiers())) {
                    repairs.add(() -> set(field, null, value));
                }
                reach(value, seen);
            }
        }
    }

    private void reach(Object value, Map<Object, Object> seen) {
        if (value == null || seen.put(value, value) != null) {
            return;
        }
        Class<?> type = value.getClass();
        if (type.isArray()) {
            int length = Array.getLength(value);
            Object copy = Array.newInstance(type.getComponentType(), length);
            System.arraycopy(value, 0, copy, 0, length);
            repairs.add(() -> System.arraycopy(copy, 0, value, 0, length));
            for (int index = 0; !type.getComponentType().isPrimitive() && index < length; index++) {
                reach(Array.get(value, index), seen);
            }
        } else if (owns(type.getName()) && !type.isRecord()) {
            for (Field field : fields(type)) {
                if (owns(field.getDeclaringClass().getName()) && !Modifier.isFinal(field.getModifiers())) {
                    reach(field, value, seen);
                }
            }
        } else if (type.getName().startsWith("java.util.")) {
            // A witness gives every field of a container a value, the final ones too.
            for (Class<?> at = type; at != Object.class; at = at.getSuperclass()) {
                for (Field field : at.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        field.setAccessible(true);
                        reach(field, value, seen);
                    }
                }
            }
        }
    }

    private void reach(Field field, Object owner, Map<Object, Object> seen) {
        Object held = get(field, owner);
        repairs.add(() -> set(field, owner, held));
        reach(held, seen);
    }
}
