import { shownJson } from '@wherry/bytes';
import {
  isCycle,
  itemsOf,
  type OpenApi,
  referred,
  resolved,
  type Schema,
  saysSomething,
  valuesOf,
  type Way,
  wayBehind,
} from './schema.ts';
import { wrap } from './wrap.ts';

/** How fields are listed. */
export interface FieldListOptions {
  document: OpenApi;
  /** Fields of fields too, each in one line. */
  recursive: boolean;
}

const widestLine = 78;
const docsWidth = 76;
const enumLimit = 4;

/** The fields of a schema with their types and what they are for; empty for none. */
export const fieldList = (schema: Schema, options: FieldListOptions): string =>
  listed({ schema, level: 1, way: new Set() }, options);

interface Place {
  schema: Schema;
  /** How deep it stands; the first is 1. */
  level: number;
  way: Way;
}

function listed({ schema, level, way }: Place, options: FieldListOptions): string {
  if (isCycle(way, schema)) return '';
  const next = wayBehind(way, schema);
  const whole = resolved(schema, options.document);
  const { properties = {}, required = [], allOf = [] } = whole;
  const own = Object.entries(properties)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => {
      const told = fieldText({ name, field, level, isRequired: required.includes(name) }, options);
      const below = options.recursive ? listed({ schema: field, level: level + 1, way: next }, options) : '';
      return told + below;
    });
  const others = [...allOf, itemsOf(whole), valuesOf(whole)].filter(saysSomething);
  return [...own, ...others.map((part) => listed({ schema: part, level, way: next }, options))].join('');
}

interface Field {
  name: string;
  field: Schema;
  level: number;
  isRequired: boolean;
}

function fieldText({ name, field, level, isRequired }: Field, { document, recursive }: FieldListOptions) {
  const margin = level * 2;
  const values = field.enum?.length ? `\n${' '.repeat(margin)}enum: ${someValues(field.enum)}` : '';
  const head = `${' '.repeat(margin)}${name}\t<${typeText(field, document)}>${isRequired ? ' -required-' : ''}${values}\n`;
  if (recursive) return head;
  const words = wrap(field.description || '<no description>', widestLine - margin);
  return `${head}${indented(words, margin + 2)}\n${docsOf(field, margin)}\n`;
}

function docsOf({ externalDocs }: Schema, margin: number): string {
  if (!externalDocs) return '';
  const text = documentationText(externalDocs, docsWidth - margin);
  return `\n${indented('EXTERNAL DOCS:', margin + 2)}\n${text.map((line) => `${indented(line, margin + 4)}\n`).join('')}`;
}

/** What is said of documentation that stands elsewhere. */
export const documentationText = (
  { description, url }: NonNullable<Schema['externalDocs']>,
  width: number,
): string[] => [...(description ? [wrap(description, width)] : []), ...(url ? [`URL: ${url}`] : [])];

/** The first values that a field can have. */
const someValues = (values: readonly unknown[]): string =>
  values.slice(0, enumLimit).map(valueText).join(', ') + (values.length > enumLimit ? ', ....' : '');

/** One of the values that a field can have. */
export const valueText = (value: unknown): string => (value === '' ? '""' : shownJson(value));

/** Moves every line to the right. */
export function indented(text: string, columns: number): string {
  const margin = ' '.repeat(columns);
  return margin + text.replaceAll('\n', `\n${margin}`);
}

/** What a field holds, as people write types: `string`, `[]Container`, `map[string]string`. */
export function typeText(schema: Schema, document: OpenApi): string {
  const [items, values] = [itemsOf(schema), valuesOf(schema)];
  if (items) return `[]${typeText(items, document)}`;
  if (values) return `map[string]${typeText(values, document)}`;
  const { allOf = [], properties, type = 'Object', $ref } = schema;
  const [only, ...more] = allOf;
  if (only && more.length === 0 && !properties) return typeText(only, document);
  if ($ref) return referenceText($ref, document);
  return type === 'object' ? 'Object' : type;
}

/** Kinds by their names, other values by their types. */
function referenceText(reference: string, document: OpenApi): string {
  const { type = 'object' } = referred(reference, document) ?? {};
  return type === 'object' ? (reference.split(/[/.]/).at(-1) ?? '') || 'Object' : type;
}
