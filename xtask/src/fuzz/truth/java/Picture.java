import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Inputs as text: objects have numbers, so that sharing and circles show. */
final class Picture {
    private final World world;
    private final Map<Object, Integer> numbers = new IdentityHashMap<>();
    private final StringBuilder text = new StringBuilder();

    Picture(World world) {
        this.world = world;
    }

    /** Values, after others that the same picture has shown. */
    String of(List<Object> values) {
        text.setLength(0);
        for (Object value : values) {
            text.append(text.length() == 0 ? "" : ", ");
            draw(value);
        }
        return text.toString().replace('\t', ' ').replace('\n', ' ').replace('\r', ' ');
    }

    private void draw(Object value) {
        if (value == null || value instanceof Enum) {
            text.append(value);
        } else if (value instanceof Character letter) {
            text.append('\'').append((int) letter).append('\'');
        } else if (numbers.containsKey(value)) {
            text.append('#').append(numbers.get(value));
        } else if (value instanceof String letters) {
            number(value);
            text.append('"');
            letters.chars().forEach(unit -> text.append(
                    unit >= ' ' && unit < 127 ? String.valueOf((char) unit) : "\\" + unit + ";"));
            text.append(letters == letters.intern() ? "\" interned" : "\"");
        } else if (value.getClass().isArray()) {
            number(value);
            text.append(value.getClass().getComponentType().getSimpleName()).append('[');
            for (int index = 0; index < Array.getLength(value); index++) {
                text.append(index == 0 ? "" : " ");
                draw(Array.get(value, index));
            }
            text.append(']');
        } else if (world.owns(value.getClass().getName())) {
            number(value);
            text.append(value.getClass().getSimpleName()).append('{');
            for (Field field : world.fields(value.getClass())) {
                text.append(' ').append(field.getName()).append('=');
                draw(World.get(field, value));
            }
            text.append('}');
        } else if (!World.held(value).isEmpty()) {
            number(value);
            text.append(value.getClass().getSimpleName()).append('[');
            for (Object one : World.held(value)) {
                text.append(' ');
                draw(one);
            }
            text.append(']');
        } else {
            text.append(value.getClass() == Object.class ? "Object" : value);
        }
    }

    private void number(Object value) {
        numbers.put(value, numbers.size() + 1);
        text.append('#').append(numbers.size()).append(' ');
    }
}
