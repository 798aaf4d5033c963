/** Fields of protobuf messages, each as its bytes. */

const wire = { varint: 0, fixed64: 1, bytes: 2 } as const;

const tag = (field: number, type: number) => varint(field * 8 + type);

/** Whole numbers from 0 up to what a double holds exactly. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) + 0x80);
  return Buffer.from([...bytes, left]);
}

/** Of a field, or, without one, a message behind its length. */
export function message(field: number | undefined, parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = field === undefined ? [] : [tag(field, wire.bytes)];
  return Buffer.concat([...head, varint(length), ...parts]);
}

export function text(field: number, value: string): Buffer {
  return message(field, [Buffer.from(value)]);
}

export function uint64(field: number, value: number): Buffer {
  return Buffer.concat([tag(field, wire.varint), varint(value)]);
}

export const enumeration = uint64;

export function double(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([tag(field, wire.fixed64), bytes]);
}
