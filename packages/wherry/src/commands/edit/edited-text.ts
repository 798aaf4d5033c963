import type { KubeObject } from '@wherry/client';
import { goYaml, type JsonValue, jsonEqual } from '@wherry/kubeapi';
import { parseAllDocuments } from 'yaml';
import { withoutManagers } from '../../objects/printed-object.ts';
import { sortedKeys } from '../../output/json.ts';
import { formatValue } from '../../output/listing.ts';
import type { EditedForm } from './edited-form.ts';

/** Why a file is opened once more. */
export interface Reason {
  head: string;
  causes: readonly string[];
}

/** Objects as they are edited: one alone, or several as a list, with the keys in their order; who manages their fields is left out. */
export function textOf(objects: readonly KubeObject[], format: EditedForm): string {
  const shown = objects.map(withoutManagers);
  const [only, ...more] = shown;
  const list = { apiVersion: 'v1', items: shown, kind: 'List', metadata: {} };
  return `${formatValue(sortedKeys(more.length === 0 ? only : list), format)}\n`;
}

const introduction = [
  'Change the object below and save it. Lines that begin with # count for nothing, and a file without others ends the',
  'edit. What is refused is opened again, with the reasons up here.',
  '',
];

/** The comments that stand on top of YAML. */
export function headerOf(reasons: readonly Reason[]): string {
  const told = reasons.flatMap(({ head, causes }) => [
    causes.length > 0 ? `${head}:` : head,
    ...causes.map((cause) => `* ${cause}`),
    '',
  ]);
  return [...introduction, ...told]
    .flatMap((line) => line.split('\n'))
    .map((line) => `# ${line}`.trimEnd())
    .join('\n')
    .concat('\n');
}

/** A text without the comments on its top. */
export const withoutHeader = (text: string): string => text.replace(/^(?:[ \t]*#.*(?:\r?\n|$))+/, '');

/** True when two texts say the same, whatever their comments and their form. */
export function isSame(one: string, other: string): boolean {
  const [left, right] = [documentsOf(one), documentsOf(other)];
  return left && right ? jsonEqual(left, right) : linesOf(one).join('\n') === linesOf(other).join('\n');
}

/** Lines that say something. */
export const linesOf = (text: string): string[] =>
  text.split(/\r?\n/).filter((line) => !/^\s*(?:#|$)/.test(line));

/** Undefined for what is no YAML. */
function documentsOf(text: string): JsonValue[] | undefined {
  const documents = parseAllDocuments(text, goYaml);
  if (documents.some(({ errors }) => errors.length > 0)) return undefined;
  return documents.map((document) => document.toJS() as JsonValue);
}
