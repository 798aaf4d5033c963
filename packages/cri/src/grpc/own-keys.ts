/** A message in memory: its fields by name. Maps of the schema are messages whose keys come from the other side. */
export type Message = Record<string, unknown>;

/** A field, or a map's entry; what every object inherits is not found. */
export function ownValue(message: Message, key: string): unknown {
  return Object.hasOwn(message, key) ? message[key] : undefined;
}

/** Sets a field, or a map's entry; `__proto__` becomes a plain key too. */
export function setOwn(message: Message, key: string, value: unknown): void {
  if (key !== '__proto__') message[key] = value;
  else Object.defineProperty(message, key, { value, enumerable: true, configurable: true, writable: true });
}
