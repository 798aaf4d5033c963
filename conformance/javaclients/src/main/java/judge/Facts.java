package judge;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;

/** What a topic finds: each fact is printed, and goes on behind one that is otherwise than it should be. */
public final class Facts {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private int held;
  private int failed;

  public interface Step {
    void run() throws Exception;
  }

  /** That what `find` gives, or the words of what it throws, is `wanted`. */
  public void is(String name, Object wanted, Callable<?> find) {
    long began = System.nanoTime();
    Object found;
    try {
      found = find.call();
    } catch (Throwable thrown) {
      found = thrown;
    }
    if (Objects.equals(wanted, found)) {
      held++;
      System.out.printf("%s (%d ms)%n", name, (System.nanoTime() - began) / 1_000_000);
      return;
    }
    failed++;
    System.out.println("not so: " + name + "\n  wanted " + wanted + "\n  found  " + found);
    if (found instanceof Throwable thrown) thrown.printStackTrace();
  }

  public void holds(String name, Callable<Boolean> find) {
    is(name, true, find);
  }

  /** That `find` gives `wanted` some time. */
  public void becomes(String name, Object wanted, Callable<?> find) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    is(name, wanted, () -> {
      for (;;) {
        Object found = attempt(find);
        if (Objects.equals(wanted, found) || System.nanoTime() > deadline) return found;
        Thread.sleep(50);
      }
    });
  }

  /** That a step comes to its end. */
  public void comes(String name, Step step) {
    is(name, "done", () -> {
      step.run();
      return "done";
    });
  }

  /** Prints how many facts held; answers whether all did. */
  public boolean conclude() {
    System.out.println(held + " facts held, " + failed + " did not");
    return failed == 0 && held > 0;
  }

  private static Object attempt(Callable<?> find) {
    try {
      return find.call();
    } catch (Exception thrown) {
      return thrown;
    }
  }
}
