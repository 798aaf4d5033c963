package judge;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;

/** Bytes that are sent and looked at. */
public final class Bytes {
  private Bytes() {}

  /** The same for each seed. */
  public static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  public static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  public static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  public static byte[] of(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  public static String text(InputStream input) {
    return text(all(input));
  }

  public static byte[] all(InputStream input) {
    try {
      return input.readAllBytes();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** All of it, with a pause behind each piece. */
  public static byte[] slowly(InputStream input, int pieceLength, long pauseMs)
      throws IOException, InterruptedException {
    var taken = new java.io.ByteArrayOutputStream();
    byte[] piece = new byte[pieceLength];
    for (int length = input.read(piece); length >= 0; length = input.read(piece)) {
      taken.write(piece, 0, length);
      Thread.sleep(pauseMs);
    }
    return taken.toByteArray();
  }
}
