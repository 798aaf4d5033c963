/** What pipes do, tried by the system calls of `@wherry/linux`: run by itself on the kernel below, or on a simulated machine. */
import * as kernelFiles from 'node:fs';
import { constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  closeDescriptor,
  makeFifo,
  openPipe,
  peekPipe,
  readableBytes,
  readNow,
  setPipeCapacity,
  splice,
  tee,
} from '../../packages/linux/src/descriptor/descriptor.ts';

type Files = Pick<typeof kernelFiles, 'openSync' | 'writeSync'>;
const { O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } = constants;
const capacityBytes = 16_384;
const pageBytes = 4_096;

/** Tries everything in a folder, and says what came of it, a line each. */
export function probePipes({ openSync, writeSync }: Files, folder: string): string[] {
  const lines: string[] = [];
  const say = (what: string, work: () => unknown) => {
    try {
      lines.push(`${what}: ${work()}`);
    } catch (error) {
      lines.push(`${what}: ${(error as NodeJS.ErrnoException).code}`);
    }
  };
  const text = (descriptor: number, bytes = 100) => {
    const buffer = Buffer.alloc(bytes);
    const count = readNow(descriptor, buffer);
    return count === null ? 'nothing now' : JSON.stringify(buffer.toString('latin1', 0, count));
  };
  const path = join(folder, 'fifo');
  makeFifo(path);
  say('making it again', () => makeFifo(path));
  say('a writer alone', () => openSync(path, O_WRONLY | O_NONBLOCK));
  const reader = openSync(path, O_RDONLY | O_NONBLOCK);
  say('reading without writers', () => text(reader));
  say('a look without writers', () => peekPipe(reader, 10));
  const writer = openSync(path, O_WRONLY | O_NONBLOCK);
  say('reading nothing', () => text(reader));
  say('a look at nothing', () => peekPipe(reader, 10)?.byteLength);
  writeSync(writer, 'abcdef');
  say('waiting', () => readableBytes(reader));
  say('a look', () => peekPipe(reader, 4));
  say('part of it', () => text(reader, 2));
  closeDescriptor(writer);
  say('what is left', () => text(reader));
  say('the end', () => text(reader));
  closeDescriptor(reader);

  const both = openSync(path, O_RDWR | O_NONBLOCK);
  writeSync(both, 'kept by one that is open for both');
  const late = openSync(path, O_RDONLY | O_NONBLOCK);
  closeDescriptor(both);
  say('a late reader', () => text(late));
  closeDescriptor(late);
  const again = openSync(path, O_RDWR | O_NONBLOCK);
  say('what all had left', () => text(again));
  closeDescriptor(again);

  const from = openPipe({ nonBlocking: true });
  const to = openPipe({ nonBlocking: true });
  for (const { writeDescriptor } of [from, to])
    say('its size', () => setPipeCapacity(writeDescriptor, capacityBytes));
  say('moving nothing', () => splice(from.readDescriptor, to.writeDescriptor, 100));
  writeSync(from.writeDescriptor, '0123456789');
  say('copying', () => tee(from.readDescriptor, to.writeDescriptor, 4));
  say('moving', () => splice(from.readDescriptor, to.writeDescriptor, 6));
  say('what stayed', () => readableBytes(from.readDescriptor));
  say('what came', () => text(to.readDescriptor));
  say('the rest', () => splice(from.readDescriptor, to.writeDescriptor, 100));
  say('it', () => text(to.readDescriptor));
  for (let page = 0; page < 5; page += 1) {
    writeSync(from.writeDescriptor, 'x');
    say('a page with one byte', () => splice(from.readDescriptor, to.writeDescriptor, 1));
  }
  say('bytes behind full pages', () => readableBytes(to.readDescriptor));
  say('room again', () => text(to.readDescriptor));
  say('a whole page', () => writeSync(to.writeDescriptor, Buffer.alloc(pageBytes)));
  say('more than there is room for', () => writeSync(to.writeDescriptor, Buffer.alloc(4 * pageBytes)));
  say('no room', () => writeSync(to.writeDescriptor, Buffer.alloc(1)));
  closeDescriptor(to.readDescriptor);
  say('nobody reads', () => writeSync(to.writeDescriptor, 'x'));
  closeDescriptor(from.writeDescriptor);
  for (const descriptor of [from.readDescriptor, to.writeDescriptor]) closeDescriptor(descriptor);
  return lines;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-pipes-'));
  console.log(probePipes(kernelFiles, folder).join('\n'));
  rmSync(folder, { recursive: true });
}
