/** JSON of protobuf messages: 64-bit numbers become strings, bytes base64, as protobuf's JSON mapping has it. */
export function toJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, replace, indent);
}

function replace(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return value;
}
