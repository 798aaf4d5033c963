import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { configMapKey, ownValue } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';

/** Flags of what fills a ConfigMap or a Secret. */
export interface KeySourceFlags {
  /** `[KEY=]PATH`, of a file or a folder of files. */
  fromFile?: string[];
  /** `KEY=VALUE`. */
  fromLiteral?: string[];
  /** Files of lines `KEY=VALUE`. */
  fromEnvFile?: string[];
}

const isKey = (text: string): boolean => configMapKey(text).length === 0;

/** What the flags say, by key and in their order. Throws `CommandError`, for a key that comes twice too. */
export function readKeys({ fromFile, fromLiteral, fromEnvFile }: KeySourceFlags): Map<string, Buffer> {
  if (fromEnvFile && (fromFile || fromLiteral))
    throw new CommandError('from-env-file cannot be combined with from-file or from-literal');
  const found = new Map<string, Buffer>();
  const pairs = [
    ...(fromFile ?? []).flatMap(fileKeys),
    ...(fromLiteral ?? []).map(literalKey),
    ...(fromEnvFile ?? []).flatMap(envKeys),
  ];
  for (const [key, value] of pairs) {
    if (!isKey(key)) {
      throw new CommandError(
        `"${key}" is not valid: a key consists of alphanumeric characters, '-', '_' or '.', at most 253`,
      );
    }
    if (found.has(key))
      throw new CommandError(`cannot add key "${key}", another key by that name already exists`);
    found.set(key, value);
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

type Pair = [key: string, value: Buffer];

function literalKey(text: string): Pair {
  const [, key, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined) throw new CommandError(`invalid literal source ${text}, expected key=value`);
  const bare = /^(["'])(.*)\1$/s.exec(value)?.[2] ?? value;
  return [key, Buffer.from(bare)];
}

function fileKeys(text: string): Pair[] {
  const [, key, path = text] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (key === '' || path === '' || path.includes('='))
    throw new CommandError(`invalid source ${text}: key names or file paths can't be empty or hold "="`);
  const kind = statSync(path, { throwIfNoEntry: false });
  if (!kind) throw new CommandError(`error: error reading ${path}: no such file or directory`);
  if (!kind.isDirectory()) return [[key ?? basename(path), readFileSync(path)]];
  if (key !== undefined) throw new CommandError(`cannot give a key name for a directory path: ${path}`);
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isKey(entry.name))
    .map((entry): Pair => [entry.name, readFileSync(join(path, entry.name))])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** A key without a value has that of this process's environment. */
function envKeys(path: string): Pair[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new CommandError(`env secret file must be a file: ${path}`);
  return readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .map((line) => line.trimStart())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): Pair => {
      const at = line.indexOf('=');
      const key = at === -1 ? line : line.slice(0, at);
      const value = at === -1 ? (ownValue(process.env, key) ?? '') : line.slice(at + 1);
      return [key, Buffer.from(value)];
    });
}
