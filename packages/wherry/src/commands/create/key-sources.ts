import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { configMapKey, ownValue, plainEnvironmentName } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { goString, textOf } from '../../output/go-values/go-value.ts';
import { quoted } from '../../output/go-values/quoted.ts';

/** Flags of what fills a ConfigMap or a Secret. */
export interface KeySourceFlags {
  /** `[KEY=]PATH`, of a file or a folder of files. */
  fromFile?: string[];
  /** `KEY=VALUE`. */
  fromLiteral?: string[];
  /** Files of lines `KEY=VALUE`. */
  fromEnvFile?: string[];
}

/** What is filled. */
export interface KeyOwner {
  kind: 'ConfigMap' | 'Secret';
  name: string;
}

/** What the flags say, by key and in their order. Throws `CommandError` in kubectl's words, for a key that comes twice too. */
export function readKeys(
  { fromFile, fromLiteral, fromEnvFile }: KeySourceFlags,
  owner: KeyOwner,
): Map<string, Buffer> {
  if (fromEnvFile && (fromFile || fromLiteral))
    throw new CommandError('from-env-file cannot be combined with from-file or from-literal');
  const found = new Map<string, Buffer>();
  const pairs = [
    ...(fromFile ?? []).flatMap(fileKeys),
    ...(fromLiteral ?? []).map(literalKey),
    ...(fromEnvFile ?? []).flatMap((path) => envKeys(path, owner)),
  ];
  for (const [key, value] of pairs) {
    const problem = keyProblem(key, found, owner);
    if (problem !== undefined) throw new CommandError(problem);
    found.set(key, value);
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function keyProblem(
  key: string,
  found: ReadonlyMap<string, Buffer>,
  { kind, name }: KeyOwner,
): string | undefined {
  const complaints = configMapKey(key);
  const shown = goQuoted(key);
  if (complaints.length > 0)
    return kind === 'Secret'
      ? `${shown} is not valid key name for a Secret ${complaints.join(';')}`
      : `${shown} is not a valid key name for a ConfigMap: ${complaints.join(',')}`;
  const present = found.get(key);
  if (!present) return undefined;
  const twice = 'another key by that name already exists';
  if (kind === 'Secret') return `cannot add key ${key}, ${twice}`;
  return `cannot add key ${shown}, ${twice} in ${isUtf8(present) ? 'Data' : 'BinaryData'} for ConfigMap "${name}"`;
}

type Pair = [key: string, value: Buffer];

function literalKey(text: string): Pair {
  const [, key, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined) throw new CommandError(`invalid literal source ${text}, expected key=value`);
  return [key, Buffer.from(value)];
}

function fileKeys(text: string): Pair[] {
  const [key, path, ...more] = text.includes('=') ? text.split('=') : [undefined, text];
  if (more.length > 0) throw new CommandError("key names or file paths cannot contain '='");
  if (key === '') throw new CommandError(`key name for file path ${path} missing`);
  if (path === '' || path === undefined) throw new CommandError(`file path for key name ${key} missing`);
  const kind = statSync(path, { throwIfNoEntry: false });
  if (!kind) throw new CommandError(`error: error reading ${path}: no such file or directory`);
  if (!kind.isDirectory()) return [[key ?? basename(path), readFileSync(path)]];
  if (key !== undefined) throw new CommandError('cannot give a key name for a directory path');
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry): Pair => [entry.name, readFileSync(join(path, entry.name))])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** What Go takes for space: no mark of UTF-8. */
const leadingSpace = /^(?:(?!\ufeff)\s|\x85)+/;

const goQuoted = (text: string): string => textOf(quoted(goString(text)));

/** A key without a value has that of this process's environment. */
function envKeys(path: string, { kind }: KeyOwner): Pair[] {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file) throw new CommandError(`error: error reading ${path}: no such file or directory`);
  if (file.isDirectory())
    throw new CommandError(`env ${kind === 'Secret' ? 'secret' : 'config'} file cannot be a directory`);
  return readLines(path)
    .map((line) => line.replace(leadingSpace, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): Pair => {
      const at = line.indexOf('=');
      const key = at === -1 ? line : line.slice(0, at);
      const complaints = plainEnvironmentName(key);
      if (complaints.length > 0)
        throw new CommandError(`${goQuoted(key)} is not a valid key name: ${complaints.join(';')}`);
      const value = at === -1 ? (ownValue(process.env, key) ?? '') : line.slice(at + 1);
      return [key, Buffer.from(value)];
    });
}

/** A mark of UTF-8 counts as nothing in front of the first line alone. */
function readLines(path: string): string[] {
  const bytes = readFileSync(path);
  const lines = bytes.toString('latin1').split(/\r?\n/);
  return lines.map((line, index) => {
    const text = Buffer.from(line, 'latin1');
    if (!isUtf8(text))
      throw new CommandError(
        `env file ${path} contains invalid utf8 bytes at line ${index + 1}: [${[...text].join(' ')}]`,
      );
    return index === 0 ? text.toString().replace(/^\ufeff/, '') : text.toString();
  });
}
