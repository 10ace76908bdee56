import java.io.BufferedReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs methods on witnesses and on random inputs, as a plan says, and prints how they ended. A line of
 * the plan is a word and what it takes, with tabs between.
 */
final class Driver {
    /** How often unbounded loops may turn in one run. */
    private static final int FUEL = 3000;
    /** Nanoseconds for all random inputs of one method. */
    private static final long LONGEST = 20_000_000_000L;

    private final PrintStream out;
    private World world;
    private Inputs inputs;
    private Given given;

    private Driver(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        Driver driver = new Driver(out);
        try (BufferedReader plan = Files.newBufferedReader(Path.of(arguments[0]))) {
            for (String line = plan.readLine(); line != null; line = plan.readLine()) {
                driver.obey(line.split("\t", -1));
            }
        }
        out.println("end");
        out.flush();
    }

    private void obey(String[] words) throws Exception {
        switch (words[0]) {
            // The group, its classes.
            case "group" -> world = new World(words[1], words[2].split(","));
            // The longest array and string, the most objects of a class, numbers, texts, static fields.
            case "limits" -> inputs = new Inputs(world, words);
            case "witness" -> given = new Given(world);
            case "object" -> given.object(words);
            case "input" -> given.input(words[1]);
            // The value, the class, the field, the way from there.
            case "static" -> given.assignment(words);
            // The case, the class, the method: on the witness.
            case "run" -> witness(words[1], find(words[2], words[3]));
            // The case, the class, the method, how many inputs, the seed.
            case "fuzz" -> fuzz(words[1], find(words[2], words[3]), Integer.parseInt(words[4]),
                    Long.parseLong(words[5]));
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private Method find(String owner, String name) throws ClassNotFoundException {
        for (Method method : Class.forName(owner).getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                return method;
            }
        }
        throw new IllegalArgumentException(owner + "." + name);
    }

    private void witness(String number, Method method) throws Exception {
        world.restore();
        Object[] values = given.values(method);
        boolean isStatic = Modifier.isStatic(method.getModifiers());
        Ending ending = run(method, isStatic ? null : values[0], tail(values, isStatic));
        out.println("ran\t" + number + "\t" + ending.exception + "\t" + ending.line);
        given = null;
    }

    private static Object[] tail(Object[] values, boolean isStatic) {
        return isStatic ? values : java.util.Arrays.copyOfRange(values, 1, values.length);
    }

    /** How a run ended: the exception, the innermost line of the group, whether it is a violation. */
    private record Ending(String exception, int line, boolean violates) {
        static final Ending NORMAL = new Ending("", 0, false);
    }

    private void fuzz(String number, Method method, int count, long seed) throws Exception {
        Map<Ending, Integer> first = new LinkedHashMap<>();
        int normal = 0;
        int done = 0;
        long start = System.nanoTime();
        while (done < count && ((done & 255) != 0 || System.nanoTime() - start < LONGEST)) {
            Ending ending = random(method, seed, done);
            if (ending.violates && !first.containsKey(ending)) {
                first.put(ending, done);
            }
            normal += ending == Ending.NORMAL ? 1 : 0;
            done++;
        }
        out.println("fuzzed\t" + number + "\t" + done + "\t" + normal);
        for (Map.Entry<Ending, Integer> entry : first.entrySet()) {
            Ending ending = entry.getKey();
            String input = describe(method, seed, entry.getValue());
            out.println("failed\t" + number + "\t" + ending.exception + "\t" + ending.line + "\t" + input);
        }
        out.flush();
    }

    private Ending random(Method method, long seed, int place) throws Exception {
        world.restore();
        inputs.begin(seed, place);
        Object receiver = receiver(method);
        return run(method, receiver, arguments(method));
    }

    private Object receiver(Method method) {
        boolean isStatic = Modifier.isStatic(method.getModifiers());
        return isStatic ? null : inputs.object(method.getDeclaringClass());
    }

    private Object[] arguments(Method method) {
        Class<?>[] kinds = method.getParameterTypes();
        Object[] values = new Object[kinds.length];
        for (int place = 0; place < kinds.length; place++) {
            values[place] = inputs.value(kinds[place]);
        }
        return values;
    }

    /** The input of a random run, made once more. */
    private String describe(Method method, long seed, int place) {
        world.restore();
        inputs.begin(seed, place);
        Object receiver = receiver(method);
        List<Object> all = new ArrayList<>();
        if (receiver != null) {
            all.add(receiver);
        }
        all.addAll(java.util.Arrays.asList(arguments(method)));
        Picture picture = new Picture(world);
        return picture.of(all) + inputs.statics(picture);
    }

    private Ending run(Method method, Object receiver, Object[] arguments) throws Exception {
        Fuel.LEFT[0] = FUEL;
        try {
            method.invoke(receiver, arguments);
        } catch (InvocationTargetException wrapped) {
            // What happens after the fuel is spent may be a consequence of that.
            return Fuel.LEFT[0] < 0 ? Ending.NORMAL : ending(wrapped.getCause());
        }
        return Ending.NORMAL;
    }

    private Ending ending(Throwable thrown) {
        StackTraceElement[] frames = thrown.getStackTrace();
        int own = 0;
        while (own < frames.length && !world.owns(frames[own].getClassName())) {
            own++;
        }
        int line = own < frames.length ? frames[own].getLineNumber() : 0;
        return new Ending(thrown.getClass().getName(), line, violates(thrown, frames, own));
    }

    /** Whether an exception that nobody caught counts: the groups themselves throw none of these. */
    private static boolean violates(Throwable thrown, StackTraceElement[] frames, int own) {
        if (thrown instanceof AssertionError || thrown instanceof IndexOutOfBoundsException) {
            return true;
        }
        if (thrown instanceof NullPointerException && own > 0) {
            // The compiler's own check, or one that the virtual machine made in the library.
            boolean checked = own == 1 && frames[0].getMethodName().equals("requireNonNull");
            return checked || thrown.getMessage() != null;
        }
        return own == 0 && (thrown instanceof NullPointerException
                || thrown instanceof ArithmeticException || thrown instanceof ClassCastException
                || thrown instanceof ArrayStoreException
                || thrown instanceof NegativeArraySizeException);
    }
}
