import { Readable } from 'node:stream';
import type { Extract, Pack } from 'tar-stream';

/** An archive that is being made, as a Node stream. */
export function readableOf(archive: Pack): Readable {
  return Readable.from(archive as AsyncIterable<Uint8Array>, { objectMode: false });
}

/** Hands bytes to an archive that is being unpacked. `done` when it has room for more, with an error once it was destroyed. */
export function writeInto(archive: Extract, chunk: Uint8Array, done: (error?: Error | null) => void): void {
  const settle = () => {
    archive.off('drain', settle).off('close', settle);
    done(archive.destroyed ? new Error('unpacking has failed') : null);
  };
  if (archive.destroyed || archive.write(chunk)) settle();
  else archive.once('drain', settle).once('close', settle);
}
