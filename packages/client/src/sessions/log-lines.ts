import { splitLines } from '../http/lines.ts';
import { limits } from '../limits.ts';
import { type LogClient, type LogOptions, logs } from './logs.ts';

/**
 * The lines of a log as text, without their ends; a followed log's come as they are written. Throws as `logs` does,
 * and `ClientError` `bad-answer` for a line above `limits.logLineBytesMax`.
 */
export async function* logLines(client: LogClient, options: LogOptions): AsyncGenerator<string, void> {
  const text = new TextDecoder();
  const bytesMax = limits.logLineBytesMax;
  for await (const line of splitLines(logs(client, options), { bytesMax, keepsLast: true })) {
    yield text.decode(line);
  }
}
