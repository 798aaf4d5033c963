/**
 * One frame: two big-endian 32-bit lengths (JSON, attachments), the JSON text, the attachments.
 * Inside the JSON a bigint is `{"$int":"123"}` and bytes are `{"$bytes":LENGTH}`, taken in order from the attachments.
 */
import { MonitorError } from './errors.ts';
import { limits } from './limits.ts';

const headerBytes = 8;

/** A message as it crosses the wire; `id` joins a request with its notices, its answer and its cancellation. */
export type Frame =
  | { kind: 'request'; id: number; method: string; params: unknown }
  | { kind: 'cancel'; id: number }
  | { kind: 'notice'; id: number; payload: unknown }
  | { kind: 'result'; id: number; result: unknown }
  | { kind: 'error'; id: number; error: { code: string; message: string } };

/** Turns a frame into bytes. Throws `RESOURCE_EXHAUSTED` when it is larger than the limits. */
export function encodeFrame(frame: Frame): Buffer {
  const attachments: Uint8Array[] = [];
  const json = Buffer.from(JSON.stringify(plain(frame, attachments)));
  const attachmentBytes = attachments.reduce((sum, bytes) => sum + bytes.byteLength, 0);
  checkSizes(json.byteLength, attachmentBytes);
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(json.byteLength, 0);
  header.writeUInt32BE(attachmentBytes, 4);
  return Buffer.concat([header, json, ...attachments]);
}

/** What JSON can say of a value: half the time of a replacer that is asked of every text and number. */
function plain(value: unknown, attachments: Uint8Array[]): unknown {
  if (typeof value === 'bigint') return { $int: String(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => plain(item, attachments));
  if (!(value instanceof Uint8Array))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part, attachments)]));
  attachments.push(value);
  return { $bytes: value.byteLength };
}

function checkSizes(jsonBytes: number, attachmentBytes: number): void {
  if (jsonBytes <= limits.jsonBytesMax && attachmentBytes <= limits.attachmentBytesMax) return;
  throw new MonitorError(
    'RESOURCE_EXHAUSTED',
    `frame of ${jsonBytes} JSON and ${attachmentBytes} attached bytes is larger than the monitor's wire allows ` +
      `(${limits.jsonBytesMax} and ${limits.attachmentBytesMax})`,
  );
}

function revive(json: Buffer, attachments: Buffer): Frame {
  let offset = 0;
  const restored = (entry: unknown): unknown => {
    if (typeof entry !== 'object' || entry === null) return entry;
    if (Array.isArray(entry)) return entry.map(restored);
    if ('$int' in entry) return integerOf(entry.$int) ?? notAFrame(json);
    if (!('$bytes' in entry))
      return Object.fromEntries(Object.entries(entry).map(([key, part]) => [key, restored(part)]));
    const { $bytes: length } = entry;
    if (typeof length !== 'number' || !(length >= 0 && offset + length <= attachments.byteLength))
      return notAFrame(json);
    const bytes = attachments.subarray(offset, offset + length);
    offset += length;
    return bytes;
  };
  const text = json.toString('utf8');
  const parsed: unknown = JSON.parse(text);
  const value = mayHoldOthers.test(text) ? restored(parsed) : parsed;
  return isFrame(value) ? value : notAFrame(json);
}

/** Also of a key that is written with escapes. */
const mayHoldOthers = /[$\\]/;

const integerOf = (value: unknown): bigint | undefined =>
  typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? BigInt(value) : undefined;

function notAFrame(json: Buffer): never {
  throw new MonitorError('INVALID_ARGUMENT', `not a frame: ${json.toString('utf8', 0, 200)}`);
}

function isFrame(value: unknown): value is Frame {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    'id' in value &&
    typeof value.id === 'number'
  );
}

/** Cuts a byte stream into frames, however it was split. Throws on a frame that breaks the limits or is no JSON. */
export class FrameDecoder {
  #parts: Buffer[] = [];
  #bytes = 0;
  #wanted = headerBytes;

  /** Takes the next bytes and gives back the frames that they complete. */
  push(chunk: Uint8Array): Frame[] {
    this.#parts.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.#bytes += chunk.byteLength;
    const frames: Frame[] = [];
    while (this.#bytes >= this.#wanted) {
      const frame = this.#take();
      if (frame) frames.push(frame);
    }
    return frames;
  }

  #take(): Frame | null {
    const buffer = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    const jsonBytes = buffer.readUInt32BE(0);
    const attachmentBytes = buffer.readUInt32BE(4);
    checkSizes(jsonBytes, attachmentBytes);
    const frameBytes = headerBytes + jsonBytes + attachmentBytes;
    if (buffer.byteLength < frameBytes) {
      this.#keep(buffer, frameBytes);
      return null;
    }
    const attachmentsAt = headerBytes + jsonBytes;
    this.#keep(buffer.subarray(frameBytes), headerBytes);
    return revive(buffer.subarray(headerBytes, attachmentsAt), buffer.subarray(attachmentsAt, frameBytes));
  }

  #keep(rest: Buffer, wanted: number): void {
    this.#parts = rest.byteLength > 0 ? [rest] : [];
    this.#bytes = rest.byteLength;
    this.#wanted = wanted;
  }
}
