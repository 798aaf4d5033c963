import { Readable, Writable } from 'node:stream';
import { type ByteSink, type ByteSource, iterate } from '@wherry/bytes';

/** A client's input as a process reads it; null where there is none. */
export function readableOf(source: ByteSource | null): Readable | null {
  return source && Readable.from(iterate(source), { objectMode: false });
}

/** What a process writes to a client, at the client's pace. What comes after the client has gone, or for nobody, is dropped. */
export function writableOf(sink: ByteSink | null): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      void deliver(sink, chunk).then(() => done());
    },
  });
}

async function deliver(sink: ByteSink | null, chunk: Uint8Array): Promise<void> {
  try {
    if (sink && !sink.write(chunk)) await sink.drained();
  } catch {
    // The client has gone: its session says so to who runs the process.
  }
}
