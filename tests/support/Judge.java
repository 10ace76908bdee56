import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Says of class files whether this virtual machine links them. Arguments are folders of other
 * classes; each line of standard input names a class and, after a blank, a file with its bytes.
 */
public class Judge {
    /** Defines one class anew, and all that are in the folders, so that they share their packages. */
    static final class Fresh extends ClassLoader {
        private final List<Path> folders;
        private final String own;
        private final byte[] bytes;

        Fresh(List<Path> folders, String own, byte[] bytes) {
            this.folders = folders;
            this.own = own;
            this.bytes = bytes;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            if (name.equals(own)) {
                return defineClass(name, bytes, 0, bytes.length);
            }
            for (Path folder : folders) {
                Path file = folder.resolve(name.replace('.', '/') + ".class");
                if (Files.exists(file)) {
                    try {
                        byte[] found = Files.readAllBytes(file);
                        return defineClass(name, found, 0, found.length);
                    } catch (IOException e) {
                        throw new ClassNotFoundException(name, e);
                    }
                }
            }
            return super.loadClass(name, resolve);
        }
    }

    public static void main(String[] arguments) throws IOException {
        List<Path> folders = new ArrayList<>();
        for (String argument : arguments) {
            folders.add(Path.of(argument));
        }
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        // Initializers of other classes may print.
        PrintStream answers = System.out;
        System.setOut(System.err);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            int blank = line.indexOf(' ');
            String own = line.substring(0, blank);
            byte[] bytes = Files.readAllBytes(Path.of(line.substring(blank + 1)));
            answers.println(judge(new Fresh(folders, own, bytes), own));
        }
    }

    /** Initializing a class links it first; the classes that are judged have no initializers. */
    private static String judge(Fresh loader, String own) {
        try {
            Class.forName(own, true, loader);
            return "fine";
        } catch (Throwable e) {
            String message = String.valueOf(e.getMessage());
            return e.getClass().getName() + ": " + message.lines().findFirst().orElse("");
        }
    }
}
