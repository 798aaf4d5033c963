import { ownValue } from '@wherry/kubeapi';
import { documentationText, fieldList, indented, typeText, valueText } from './field-list.ts';
import {
  type GroupVersionKind,
  isCycle,
  itemsOf,
  type OpenApi,
  resolved,
  type Schema,
  saysSomething,
  valuesOf,
  type Way,
  wayBehind,
} from './schema.ts';
import { wrap } from './wrap.ts';

/** What is told of a kind or of one of its fields. */
export interface ExplanationOptions {
  document: OpenApi;
  /** The field, by the fields on the way to it; the kind itself for none. */
  path: readonly string[];
  recursive: boolean;
}

const textWidth = 76;
const margin = 4;

/** The first lines: which kind it is about. */
export function kindText({ group, kind, version }: GroupVersionKind): string {
  return `${group ? `GROUP:      ${group}\n` : ''}KIND:       ${kind}\nVERSION:    ${version}\n\n`;
}

/**
 * What a kind or its field is for, and its own fields, line by line as kubectl's; undefined for a field that is not there. Follows
 * references, lists and maps without being told.
 */
export function explanationOf(schema: Schema, options: ExplanationOptions): string | undefined {
  return explained({ schema, path: options.path, way: new Set() }, options);
}

interface Place {
  schema: Schema;
  path: readonly string[];
  way: Way;
}

function explained({ schema, path, way }: Place, options: ExplanationOptions): string | undefined {
  const whole = resolved(schema, options.document);
  const [name, ...rest] = path;
  if (name === undefined) return description(whole, options);
  if (isCycle(way, schema)) return undefined;
  const field = ownValue(whole.properties ?? {}, name);
  if (saysSomething(field)) {
    const head = rest.length === 0 ? fieldHead(name, field, options.document) : '';
    const told = explained({ schema: field, path: rest, way: new Set() }, options);
    return told === undefined ? undefined : head + told;
  }
  const next = wayBehind(way, schema);
  const below = itemsOf(whole) ?? valuesOf(whole);
  const parts = below ? [below] : (whole.allOf ?? []);
  for (const part of parts) {
    const told = explained({ schema: part, path, way: next }, options);
    if (told !== undefined) return told;
  }
  return undefined;
}

function fieldHead(name: string, field: Schema, document: OpenApi): string {
  const values = field.enum?.length
    ? `ENUM:${field.enum.map((value) => `\n${indented(valueText(value), margin)}`).join('')}`
    : '';
  return `FIELD: ${name} <${typeText(field, document)}>\n${values}\n\n`;
}

function description(schema: Schema, { document, recursive }: ExplanationOptions): string {
  const words = wrap(descriptionText(schema, document) || '<empty>', textWidth);
  const fields = fieldList(schema, { document, recursive });
  const docs = schema.externalDocs && documentationText(schema.externalDocs, textWidth);
  return [
    `DESCRIPTION:\n${indented(words, margin)}\n`,
    docs ? `\nEXTERNAL DOCS:\n${docs.map((line) => `${indented(line, margin)}\n`).join('')}` : '',
    fields === '' ? '' : `FIELDS:\n${fields}`,
  ].join('');
}

/** What a schema and those that it is made of say, each a line. */
function descriptionText(schema: Schema, document: OpenApi): string {
  const whole = resolved(schema, document);
  const parts = [...(whole.allOf ?? []), itemsOf(whole), valuesOf(whole)].filter(saysSomething);
  const own = whole.description ? `${whole.description}\n` : '';
  return own + parts.map((part) => descriptionText(part, document)).join('');
}
