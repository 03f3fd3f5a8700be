import org.mustangproject.validator.ZUGFeRDValidator;

/** Says of each hybrid invoice whether Mustang finds its PDF/A, its description and the invoice inside valid. */
public class Hybrids {
    public static void main(String[] files) {
        boolean all = files.length > 0;
        for (String file : files) {
            ZUGFeRDValidator validator = new ZUGFeRDValidator();
            String report = validator.validate(file);
            boolean valid = validator.wasCompletelyValid();
            all &= valid;
            System.out.println((valid ? "PASS " : "FAIL ") + file + " hybrid");
            if (!valid) System.out.println(report);
        }
        System.exit(all ? 0 : 1);
    }
}
