import { messageFields } from '@wherry/cri';

/** Fields that CRI's .proto names otherwise than its usual small letters. */
const oddNames: ReadonlyMap<string, string> = new Map([
  ['uidMappings', 'uidMappings'],
  ['gidMappings', 'gidMappings'],
  ['cdiDevices', 'CDI_devices'],
]);

/**
 * A CRI message as containerd shows it in JSON, for what people and scripts look for in `crictl inspect`: fields by the names
 * of the .proto, enums as numbers, without what is empty.
 */
export function protoJson(messageName: string, message: object): Record<string, unknown> {
  const kinds = new Map((messageFields(messageName) ?? []).map((field) => [field.name, field.message]));
  const entries = Object.entries(message).flatMap(([name, value]: [string, unknown]) => {
    const shown = shownAs(kinds.get(name), value);
    return shown === undefined ? [] : [[protoName(name), shown]];
  });
  return Object.fromEntries(entries);
}

const protoName = (name: string): string =>
  oddNames.get(name) ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** undefined for what is left out. */
function shownAs(messageName: string | undefined, value: unknown): unknown {
  if (!value) return undefined;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint8Array) return value.length > 0 ? Buffer.from(value).toString() : undefined;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value))
    return value.length > 0 ? value.map((one) => inList(messageName, one)) : undefined;
  if (messageName !== undefined) return protoJson(messageName, value);
  return Object.keys(value).length > 0 ? value : undefined;
}

const inList = (messageName: string | undefined, one: unknown): unknown =>
  messageName !== undefined && typeof one === 'object' && one !== null ? protoJson(messageName, one) : one;
