package judge.fabric8;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.ContainerResource;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import judge.Bytes;
import judge.Facts;

/** Files and folders, in and out. */
public final class Files {
  private static final int MEGABYTES = 16 << 20;

  private Files() {}

  public static void run(Setting setting, Facts facts) throws IOException {
    KubernetesClient client = setting.client();
    setting.readyPod("demo");
    ContainerResource demo = client.pods().withName("demo");
    Path folder = java.nio.file.Files.createTempDirectory("wherry-java-files-");
    byte[] many = Bytes.random(MEGABYTES, 3);

    facts.is("a stream becomes a file", "words", () -> {
      if (!demo.file("/tmp/words").upload(new ByteArrayInputStream(Bytes.of("words")))) return "not uploaded";
      return said(demo, "cat", "/tmp/words");
    });
    facts.is("with quotes, spaces and umlauts in its name", "w", () -> {
      demo.file("/tmp/it's a fü $x.txt").upload(new ByteArrayInputStream(Bytes.of("w")));
      return said(demo, "cat", "/tmp/it's a fü $x.txt");
    });
    facts.is("an empty one", "0", () -> {
      demo.file("/tmp/empty").upload(new ByteArrayInputStream(new byte[0]));
      return said(demo, "stat", "-c", "%s", "/tmp/empty").trim();
    });
    facts.is("a file of megabytes", Bytes.hash(many), () -> {
      Path file = java.nio.file.Files.write(folder.resolve("many"), many);
      demo.file("/tmp/many").upload(file);
      return said(demo, "sha256sum", "/tmp/many").split(" ")[0];
    });
    facts.is("in folders that are made for it", "deep", () -> {
      demo.file("/tmp/a/b/c/deep").upload(new ByteArrayInputStream(Bytes.of("deep")));
      return said(demo, "cat", "/tmp/a/b/c/deep");
    });
    facts.is("read as a stream", Bytes.hash(many), () -> {
      try (var input = demo.file("/tmp/many").read()) {
        return Bytes.hash(Bytes.all(input));
      }
    });
    facts.is("copied to a file", Bytes.hash(many), () -> {
      Path copy = folder.resolve("copy");
      demo.file("/tmp/many").copy(copy);
      return Bytes.hash(java.nio.file.Files.readAllBytes(copy));
    });
    Path tree = folder.resolve("tree");
    facts.is("a folder", "./a.txt ./deep/b.bin ./deep/er/c.txt ./with space/d'.txt", () -> {
      for (var entry : filesOf(many).entrySet()) {
        Path file = tree.resolve(entry.getKey());
        java.nio.file.Files.createDirectories(file.getParent());
        java.nio.file.Files.write(file, entry.getValue());
      }
      demo.dir("/tmp/tree").upload(tree);
      return said(demo, "sh", "-c", "cd /tmp/tree; find . -type f | sort").trim().replace('\n', ' ');
    });
    facts.is("with what its files hold", Bytes.hash(many), () ->
        said(demo, "sha256sum", "/tmp/tree/deep/b.bin").split(" ")[0]);
    facts.is("a folder comes back", hashes(filesOf(many)), () -> {
      Path back = folder.resolve("back");
      demo.dir("/tmp/tree").copy(back);
      var found = new TreeMap<String, byte[]>();
      Path top = back.resolve("tmp/tree");
      try (var files = java.nio.file.Files.walk(top)) {
        for (Path file : files.filter(java.nio.file.Files::isRegularFile).toList()) {
          found.put(top.relativize(file).toString(), java.nio.file.Files.readAllBytes(file));
        }
      }
      return hashes(found);
    });
    facts.is("a file that is not there", true, () -> {
      try (var input = demo.file("/tmp/zzz").read()) {
        return Bytes.all(input).length == 0;
      } catch (Exception told) {
        return true;
      }
    });
  }

  private static TreeMap<String, byte[]> filesOf(byte[] many) {
    var files = new TreeMap<String, byte[]>();
    files.put("a.txt", Bytes.of("a"));
    files.put("deep/b.bin", many);
    files.put("deep/er/c.txt", Bytes.of("é"));
    files.put("with space/d'.txt", new byte[0]);
    return files;
  }

  private static List<String> hashes(TreeMap<String, byte[]> files) {
    return files.entrySet().stream().map(file -> file.getKey() + " " + Bytes.hash(file.getValue())).toList();
  }

  private static String said(ContainerResource container, String... words) {
    try (ExecWatch watch = container.redirectingOutput().exec(words)) {
      return Bytes.text(watch.getOutput());
    }
  }
}
