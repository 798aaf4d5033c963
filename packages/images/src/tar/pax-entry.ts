import { tarBlockBytes } from './fields.ts';

/** A record of a PAX header; values are bytes, as those of extended attributes are. */
export type PaxPair = readonly [key: string, value: string | Uint8Array];

/** The blocks that go before an entry and say what its own header can't (pax(1), "pax Header Block"). */
export function paxEntry(pairs: readonly PaxPair[]): Buffer {
  const body = Buffer.concat(pairs.map(record));
  const header = Buffer.alloc(tarBlockBytes);
  header.write('PaxHeader', 0);
  for (const [at, text] of [
    [100, '0000644'],
    [108, '0000000'],
    [116, '0000000'],
    [136, '00000000000'],
  ] as const)
    header.write(text, at);
  header.write(body.length.toString(8).padStart(11, '0'), 124);
  header.write('        x', 148);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const padding = (tarBlockBytes - (body.length % tarBlockBytes)) % tarBlockBytes;
  return Buffer.concat([header, body, Buffer.alloc(padding)]);
}

/** `LENGTH KEY=VALUE\n`, where the length counts its own digits. */
function record([key, value]: PaxPair): Buffer {
  const body = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value), Buffer.from('\n')]);
  let length = body.length;
  while (length !== body.length + `${length}`.length) length = body.length + `${length}`.length;
  return Buffer.concat([Buffer.from(`${length}`), body]);
}
