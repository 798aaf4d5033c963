/** Tar archives byte by byte, so that tests can write what no honest tool writes. */

/** One entry; what is left out is a root-owned empty file with mode 0644. */
export interface RawEntry {
  path: string;
  /** Type flag, default "0". */
  flag?: string;
  content?: string | Buffer;
  link?: string;
  mode?: number;
  uid?: number;
  gid?: number;
  /** Size in the header, when it is to differ from the content's. */
  size?: number;
  device?: [major: number, minor: number];
  /** PAX records before the entry; text or bytes. */
  pax?: readonly (readonly [key: string, value: string | Buffer])[];
  /** Written over the header before its checksum is made. */
  patch?: (header: Buffer) => void;
}

const blockBytes = 512;

function padded(content: Buffer): Buffer {
  return Buffer.concat([content, Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes)]);
}

function header(entry: RawEntry, bytes: number): Buffer {
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, offset: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, offset, 'latin1');
  block.write(entry.path, 0, 100);
  octal(entry.mode ?? 0o644, 100, 8);
  octal(entry.uid ?? 0, 108, 8);
  octal(entry.gid ?? 0, 116, 8);
  octal(entry.size ?? bytes, 124, 12);
  octal(0, 136, 12);
  block.write(entry.flag ?? '0', 156, 1, 'latin1');
  block.write(entry.link ?? '', 157, 100);
  block.write('ustar\x0000', 257, 'latin1');
  octal(entry.device?.[0] ?? 0, 329, 8);
  octal(entry.device?.[1] ?? 0, 337, 8);
  entry.patch?.(block);
  block.fill(0x20, 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

function record(key: string, value: string | Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value as string), Buffer.from('\n')]);
  let length = rest.length;
  while (`${length}`.length + rest.length !== length) length = `${length}`.length + rest.length;
  return Buffer.concat([Buffer.from(`${length}`), rest]);
}

/** The archive of these entries, in this order. */
export function rawTar(entries: readonly RawEntry[]): Buffer {
  const blocks: Buffer[] = [];
  for (const entry of entries) {
    const content = Buffer.from((entry.content ?? '') as string);
    if (entry.pax) {
      const records = Buffer.concat(entry.pax.map(([key, value]) => record(key, value)));
      blocks.push(header({ path: 'pax', flag: 'x' }, records.length), padded(records));
    }
    blocks.push(header(entry, content.length), padded(content));
  }
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]);
}

export const folder = (path: string, change: Partial<RawEntry> = {}): RawEntry => ({
  path,
  flag: '5',
  mode: 0o755,
  ...change,
});
export const symlink = (path: string, link: string): RawEntry => ({ path, flag: '2', link, mode: 0o777 });
export const hardLink = (path: string, link: string): RawEntry => ({ path, flag: '1', link });
