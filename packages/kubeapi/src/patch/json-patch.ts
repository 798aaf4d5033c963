/**
 * JSON patch (RFC 6902) over JSON pointers (RFC 6901), with the turns of upstream's library (evanphx/json-patch 4): `replace`
 * also makes a field that is not there, `copy` and `test` take one for null, indices count from the end when they are
 * negative, what stands before a pointer's first slash is passed over, and the whole document can be replaced and tested alone.
 */
import { exactJson, parseExactJson } from '../json/exact-json.ts';
import {
  copyJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  notOfGoType,
  ownValue,
  setOwn,
} from '../json/json-value.ts';
import { bodyBytesMax, jsonPatchOperationsMax } from '../limits.ts';
import { PatchError } from './patch-error.ts';

interface Operation {
  op: string;
  path: string[];
  from: string[];
  /** Null where the operation says none. */
  value: JsonValue;
}

/** Of a pointer to the whole document. */
const root = 'document';

/** The patched document; the input is not changed. All operations apply, or none. Throws {@link PatchError}. */
export function applyJsonPatch(document: JsonValue, patch: JsonValue): JsonValue {
  const operations = readOperations(patch);
  const holder: JsonObject = { [root]: copyJson(document) };
  const budget = new CopyBudget();
  for (const operation of operations) applyOperation(holder, operation, budget);
  return holder[root]!;
}

function readOperations(patch: JsonValue): Operation[] {
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw misread(patch, 'jsonpatch.Patch');
  const unread = patch.find((entry) => entry !== null && !isJsonObject(entry));
  if (unread !== undefined) throw misread(unread, 'jsonpatch.Operation');
  if (patch.length > jsonPatchOperationsMax) {
    const limit = `The allowed maximum operations in a JSON patch is ${jsonPatchOperationsMax}, got ${patch.length}`;
    throw new PatchError('too-many-operations', limit);
  }
  return patch.map(readOperation);
}

function readOperation(entry: JsonValue): Operation {
  if (!isJsonObject(entry)) throw new PatchError('rejected', 'Unexpected kind: unknown');
  const { op, path, from, value = null } = entry;
  if (typeof op !== 'string' || typeof path !== 'string')
    throw new PatchError('rejected', 'an operation of a JSON patch needs "op" and "path"');
  if (op !== 'move' && op !== 'copy') return { op, path: pointer(path), from: [], value };
  if (typeof from !== 'string') throw new PatchError('rejected', `operation "${op}" needs "from"`);
  return { op, path: pointer(path), from: pointer(from), value };
}

/** What is no JSON patch at all. */
const misread = (value: JsonValue, type: string) => new PatchError('malformed', notOfGoType(value, type));

function pointer(text: string): string[] {
  if (text === '') return [root];
  const [, ...tokens] = text.split('/');
  if (tokens.length === 0) throw new PatchError('rejected', `path "${text}" must begin with a slash`);
  return [root, ...tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))];
}

const kinds: ReadonlySet<string> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

function applyOperation(holder: JsonObject, { op, path, from, value }: Operation, budget: CopyBudget): void {
  if (!kinds.has(op)) throw new PatchError('rejected', `Unexpected kind: ${op}`);
  const isWhole = path.length === 1 || ((op === 'move' || op === 'copy') && from.length === 1);
  if (isWhole && op !== 'test' && (op !== 'replace' || !(isJsonObject(value) || Array.isArray(value))))
    throw new PatchError('rejected', `operation "${op}" does not fit the whole document`);
  if (op === 'remove') remove(holder, path);
  else if (op === 'move') add(holder, path, remove(holder, from));
  else if (op === 'copy') add(holder, path, budget.copy(readOrNull(holder, from)));
  else if (op === 'test') test(holder, path, value);
  else if (op === 'replace') replace(holder, path, value);
  else add(holder, path, value);
}

function test(holder: JsonObject, path: string[], expected: JsonValue): void {
  if (jsonEqual(readOrNull(holder, path), expected)) return;
  throw new PatchError('test-failed', `testing value ${show(path)} failed`);
}

/** Copies may double a document with each operation; together they stay within one body's size. */
class CopyBudget {
  #bytes = bodyBytesMax;

  copy(value: JsonValue): JsonValue {
    const text = exactJson(value);
    this.#bytes -= text.length;
    if (this.#bytes >= 0) return parseExactJson(text);
    throw new PatchError('rejected', `copies of a JSON patch may add up to ${bodyBytesMax} bytes`);
  }
}

const show = (path: string[]) => `/${path.slice(1).join('/')}`;

function parentOf(holder: JsonObject, path: string[]): JsonObject | JsonValue[] {
  let value: JsonValue = holder;
  for (const token of path.slice(0, -1)) value = stepInto(value, token, path);
  if (Array.isArray(value) || isJsonObject(value)) return value;
  throw missing(path);
}

function stepInto(value: JsonValue, token: string, path: string[]): JsonValue {
  if (Array.isArray(value)) return value[indexIn(value, token, path, value.length - 1)]!;
  if (isJsonObject(value) && Object.hasOwn(value, token)) return value[token]!;
  throw missing(path);
}

function indexIn(list: JsonValue[], token: string, path: string[], last: number): number {
  const number = /^[+-]?\d+$/.test(token) ? Number(token) : Number.NaN;
  const index = number < 0 ? last + 1 + number : number;
  if (!(index >= 0 && index <= last)) {
    throw new PatchError(
      'rejected',
      `index "${token}" of ${show(path)} is outside of a list of ${list.length}`,
    );
  }
  return index;
}

/** A field that is not there is null, unlike an item. */
function readOrNull(holder: JsonObject, path: string[]): JsonValue {
  const parent = parentOf(holder, path);
  const token = path.at(-1)!;
  return isJsonObject(parent) ? (ownValue(parent, token) ?? null) : stepInto(parent, token, path);
}

function add(holder: JsonObject, path: string[], value: JsonValue): void {
  const parent = parentOf(holder, path);
  const token = path.at(-1)!;
  if (!Array.isArray(parent)) setOwn(parent, token, value);
  else parent.splice(token === '-' ? parent.length : indexIn(parent, token, path, parent.length), 0, value);
}

function replace(holder: JsonObject, path: string[], value: JsonValue): void {
  const parent = parentOf(holder, path);
  const token = path.at(-1)!;
  if (Array.isArray(parent)) parent[indexIn(parent, token, path, parent.length - 1)] = value;
  else setOwn(parent, token, value);
}

function remove(holder: JsonObject, path: string[]): JsonValue {
  const parent = parentOf(holder, path);
  const token = path.at(-1)!;
  const value = stepInto(parent, token, path);
  if (Array.isArray(parent)) parent.splice(indexIn(parent, token, path, parent.length - 1), 1);
  else delete parent[token];
  return value;
}

function missing(path: string[]): PatchError {
  return new PatchError('rejected', `path ${show(path)} does not exist`);
}
