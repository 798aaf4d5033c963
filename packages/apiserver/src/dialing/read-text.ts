import type { IncomingMessage } from 'node:http';

/** The body of an answer as text; undefined, and the connection is over, where it is longer than `bytesMax`. */
export async function readTextWithin(answer: IncomingMessage, bytesMax: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bytesMax) {
      answer.destroy();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
