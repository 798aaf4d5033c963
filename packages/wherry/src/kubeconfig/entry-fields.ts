import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Fields } from './document.ts';
import type { List } from './lists.ts';

/** Fields of an entry in the order of the file format; those with a value are written even where they say nothing. */
type Shape = ReadonlyMap<string, unknown>;

const optional = (...names: string[]): [string, undefined][] => names.map((name) => [name, undefined]);

const shapes: Record<List, Shape> = {
  clusters: new Map<string, unknown>([
    ['server', ''],
    ...optional('tls-server-name', 'insecure-skip-tls-verify', 'certificate-authority'),
    ...optional('certificate-authority-data', 'proxy-url', 'disable-compression', 'extensions'),
  ]),
  users: new Map<string, unknown>([
    ...optional('client-certificate', 'client-certificate-data', 'client-key', 'client-key-data'),
    ...optional('token', 'tokenFile', 'as', 'as-uid', 'as-groups', 'as-user-extra'),
    ...optional('username', 'password', 'auth-provider', 'exec', 'extensions'),
  ]),
  contexts: new Map<string, unknown>([['cluster', ''], ['user', ''], ...optional('namespace', 'extensions')]),
};

const execShape: Shape = new Map<string, unknown>([
  ['command', ''],
  ['args', null],
  ['env', null],
  ...optional('apiVersion', 'installHint'),
  ['provideClusterInfo', false],
  ...optional('interactiveMode'),
]);
const providerShape: Shape = new Map<string, unknown>([
  ['name', ''],
  ['config', null],
]);

/** The fields of an entry that the file format knows, as kubectl writes them. */
export function shapedFields(list: List, fields: Fields): Fields {
  const shaped = shapedAs(shapes[list], fields);
  const { exec, 'auth-provider': provider } = shaped;
  return {
    ...shaped,
    ...(provider ? { 'auth-provider': shapedAs(providerShape, provider) } : {}),
    ...(exec ? { exec: shapedAs(execShape, exec) } : {}),
  };
}

function shapedAs(shape: Shape, fields: object): Fields {
  const said = new Map<string, unknown>(Object.entries(fields));
  return Object.fromEntries(
    [...shape].flatMap(([name, nothing]) => {
      const value = said.get(name);
      if (!isNothing(value)) return [[name, value]];
      return nothing === undefined ? [] : [[name, nothing]];
    }),
  );
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** An entry with other values for some of its fields; what says nothing is left out, unless every entry has it. */
export function withFields(list: List, fields: Fields, changes: Fields): Fields {
  const shape = shapes[list];
  const values = [...shape].filter(([, nothing]) => nothing !== undefined);
  const all = Object.entries({ ...Object.fromEntries(values), ...fields, ...changes });
  return Object.fromEntries(
    all.flatMap(([name, value]) => {
      const changed = Object.hasOwn(changes, name);
      if (!changed || !isNothing(value)) return [[name, value]];
      const nothing = shape.get(name);
      return nothing === undefined ? [] : [[name, nothing]];
    }),
  );
}

/** The fields of a user's `exec`, as kubectl writes them. */
export const execFields = (exec: Fields): Fields => shapedAs(execShape, exec);

const pathNames = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/** An entry whose paths are relative to the folder of its file where they lead below it. */
export function withRelativePaths(fields: Fields, file: string): Fields {
  const folder = resolve(dirname(file));
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (pathNames.includes(name) && typeof value === 'string' && value !== '')
        return [name, relativePath(value, folder)];
      return name === 'exec' ? [name, withRelativeCommand(value as Fields, folder)] : [name, value];
    }),
  );
}

/** A command without a slash is looked up in `PATH`: it stays so, and one with a slash keeps one. */
function withRelativeCommand(exec: Fields, folder: string): Fields {
  const { command } = exec;
  if (typeof command !== 'string' || !command.includes('/')) return exec;
  const path = relativePath(command, folder);
  return { ...exec, command: path.includes('/') ? path : `./${path}` };
}

function relativePath(path: string, folder: string): string {
  const whole = isAbsolute(path) ? path : join(folder, path);
  const way = relative(folder, whole);
  return way.startsWith('../') ? whole : way;
}
