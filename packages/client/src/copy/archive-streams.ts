import { Readable, Writable } from 'node:stream';
import type { Extract, Pack } from 'tar-stream';

/** An archive that is being made, as a Node stream. */
export function readableOf(archive: Pack): Readable {
  return Readable.from(archive as AsyncIterable<Uint8Array>, { objectMode: false });
}

/** An archive that is being unpacked, as a Node stream that takes its bytes at the unpacker's pace. Never ends it. */
export function writableInto(archive: Extract): Writable {
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      if (archive.destroyed) done(new Error('unpacking has failed'));
      else if (archive.write(chunk)) done();
      else archive.once('drain', () => done());
    },
  });
}
