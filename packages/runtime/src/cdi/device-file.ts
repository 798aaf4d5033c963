import { posix } from 'node:path';
import { parse } from 'yaml';
import { messageOf } from '../errors.ts';
import { isRecord, type JsonObject } from '../state/json.ts';
import { isDeviceName, isKind } from './device-name.ts';

/** What a container gets with a device, as its file has it (CDI's SPEC.md, containerEdits). */
export interface ContainerEdits {
  env: readonly string[];
  deviceNodes: readonly DeviceNode[];
  mounts: readonly CdiMount[];
  hooks: readonly CdiHook[];
  additionalGids: readonly number[];
}

export interface DeviceNode {
  path: string;
  /** Default: the path. */
  hostPath: string | undefined;
  /** Default: what the machine's node is. */
  type: 'b' | 'c' | 'u' | 'p' | undefined;
  major: number | undefined;
  minor: number | undefined;
  fileMode: number | undefined;
  permissions: string;
  uid: number | undefined;
  gid: number | undefined;
}

export interface CdiMount {
  hostPath: string;
  containerPath: string;
  type: string | undefined;
  options: readonly string[];
}

export interface CdiHook {
  hookName: HookName;
  path: string;
  args: readonly string[];
  env: readonly string[];
  /** Seconds. */
  timeout: number | undefined;
}

export const hookNames = [
  'prestart',
  'createRuntime',
  'createContainer',
  'startContainer',
  'poststart',
  'poststop',
] as const;
export type HookName = (typeof hookNames)[number];

/** A file that describes devices of one kind. */
export interface DeviceFile {
  kind: string;
  /** For every container that gets one of the devices. */
  edits: ContainerEdits;
  devices: ReadonlyMap<string, ContainerEdits>;
}

const versions = ['0.3.0', '0.4.0', '0.5.0', '0.6.0', '0.7.0', '0.8.0', '1.0.0', '1.1.0'];
const uint32Max = 0xffff_ffff;

/** Reads the fields of one object, each once, and complains about those that nobody asked for. */
class Fields {
  readonly #object: JsonObject;
  readonly #path: string;
  readonly #asked = new Set<string>();

  constructor(value: unknown, path: string) {
    if (!isRecord(value)) throw new Error(`${path || 'the file'}: want an object`);
    this.#object = value;
    this.#path = path === '' ? '' : `${path}.`;
  }

  text(name: string): string | undefined {
    const value = this.#take(name);
    if (value === undefined || typeof value === 'string') return value;
    throw this.wrong(name, value, 'want a text');
  }

  /** A text that is there and not empty. */
  needed(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') throw new Error(`${this.#path}${name}: it is missing or empty`);
    return value;
  }

  absolutePath(name: string): string {
    const value = this.needed(name);
    if (posix.isAbsolute(value) && !value.includes('\0')) return value;
    throw this.wrong(name, value, 'want an absolute path');
  }

  number(name: string, max = uint32Max): number | undefined {
    const value = this.#take(name);
    if (value === undefined) return undefined;
    if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max) return value as number;
    throw this.wrong(name, value, `want a whole number up to ${max}`);
  }

  numbers(name: string): number[] {
    const values = this.list(name);
    if (values.every((value) => Number.isInteger(value) && (value as number) >= 0)) return values as number[];
    throw this.wrong(name, values, 'want whole numbers');
  }

  texts(name: string): string[] {
    const values = this.list(name);
    if (values.every((value) => typeof value === 'string')) return values;
    throw this.wrong(name, values, 'want texts');
  }

  /** Settings of an environment. */
  env(name: string): string[] {
    const entries = this.texts(name);
    const strange = entries.find((entry) => entry.indexOf('=') < 1);
    if (strange === undefined) return entries;
    throw this.wrong(name, strange, 'want NAME=VALUE');
  }

  list(name: string): unknown[] {
    const value = this.#take(name) ?? [];
    if (Array.isArray(value)) return value;
    throw this.wrong(name, value, 'want a list');
  }

  each<Item>(name: string, read: (fields: Fields) => Item): Item[] {
    return this.list(name).map((item, index) => {
      const fields = new Fields(item, `${this.#path}${name}[${index}]`);
      const made = read(fields);
      fields.close();
      return made;
    });
  }

  inner(name: string): Fields {
    return new Fields(this.#take(name) ?? {}, `${this.#path}${name}`);
  }

  /** What is known, and changes no container. */
  passOver(...names: string[]): void {
    for (const name of names) this.#asked.add(name);
  }

  /** What is known, and cannot be done. */
  refuse(name: string, why: string): void {
    if (this.#take(name) !== undefined) throw new Error(`${this.#path}${name}: ${why}`);
  }

  close(): void {
    const unknown = Object.keys(this.#object).find((name) => !this.#asked.has(name));
    if (unknown !== undefined) throw new Error(`${this.#path}${unknown}: no field of CDI is called so`);
  }

  wrong(name: string, value: unknown, want: string): Error {
    return new Error(`${this.#path}${name}: ${JSON.stringify(value)}: ${want}`);
  }

  #take(name: string): unknown {
    this.#asked.add(name);
    return Object.hasOwn(this.#object, name) ? (this.#object[name] ?? undefined) : undefined;
  }
}

function deviceNode(fields: Fields): DeviceNode {
  const type = fields.text('type') || undefined;
  if (type !== undefined && !/^[bcup]$/.test(type)) throw fields.wrong('type', type, 'want b, c, u or p');
  const permissions = fields.text('permissions') ?? '';
  if (!/^(none|[rwm]*)$/.test(permissions))
    throw fields.wrong('permissions', permissions, 'want some of r, w and m, or none');
  return {
    path: fields.absolutePath('path'),
    hostPath: fields.text('hostPath') ? fields.absolutePath('hostPath') : undefined,
    type: type as DeviceNode['type'],
    major: fields.number('major'),
    minor: fields.number('minor'),
    fileMode: fields.number('fileMode', 0o7777),
    permissions,
    uid: fields.number('uid'),
    gid: fields.number('gid'),
  };
}

const mount = (fields: Fields): CdiMount => ({
  hostPath: fields.needed('hostPath'),
  containerPath: fields.absolutePath('containerPath'),
  type: fields.text('type') || undefined,
  options: fields.texts('options'),
});

function hook(fields: Fields): CdiHook {
  const hookName = fields.needed('hookName');
  if (!(hookNames as readonly string[]).includes(hookName))
    throw fields.wrong('hookName', hookName, `want one of ${hookNames.join(', ')}`);
  return {
    hookName: hookName as HookName,
    path: fields.absolutePath('path'),
    args: fields.texts('args'),
    env: fields.env('env'),
    timeout: fields.number('timeout'),
  };
}

function editsFrom(fields: Fields): ContainerEdits {
  fields.refuse('netDevices', 'this runtime moves no network interfaces into pods');
  fields.refuse('intelRdt', "this runtime does not manage Intel's resource director");
  const edits = {
    env: fields.env('env'),
    deviceNodes: fields.each('deviceNodes', deviceNode),
    mounts: fields.each('mounts', mount),
    hooks: fields.each('hooks', hook),
    additionalGids: fields.numbers('additionalGids'),
  };
  fields.close();
  return edits;
}

/** Reads a file of devices, in JSON or YAML. Throws an `Error` that names the field. */
export function deviceFileFrom(text: string): DeviceFile {
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    throw new Error(`it is no YAML: ${messageOf(error)}`, { cause: error });
  }
  const fields = new Fields(document, '');
  const version = fields.needed('cdiVersion');
  if (!versions.includes(version))
    throw fields.wrong('cdiVersion', version, `want one of ${versions.join(', ')}`);
  const kind = fields.needed('kind');
  if (!isKind(kind)) throw fields.wrong('kind', kind, 'want VENDOR/CLASS');
  fields.passOver('annotations');
  const edits = editsFrom(fields.inner('containerEdits'));
  const devices = new Map<string, ContainerEdits>();
  fields.each('devices', (device) => {
    const name = device.needed('name');
    if (!isDeviceName(name)) throw device.wrong('name', name, 'want letters, digits and _.:- between them');
    if (devices.has(name)) throw device.wrong('name', name, 'another device has this name');
    device.passOver('annotations');
    devices.set(name, editsFrom(device.inner('containerEdits')));
  });
  if (devices.size === 0) throw new Error('devices: there is none');
  fields.close();
  return { kind, edits, devices };
}
