/** Says above each interface and field what it is: the schema's own descriptions, and the facts of the field. */
import { fieldDescription, kindDescription } from '../src/openapi/descriptions.ts';
import type { ModelField, ModelMessage } from './model.ts';

/** How values of a type are written, where TypeScript says no more than `string` or `number`. */
const forms: Readonly<Record<string, string>> = {
  int32: 'A whole number.',
  int64: 'A whole number.',
  bytes: 'Bytes, in base64.',
  Time: 'A time, RFC 3339: `2026-01-02T15:04:05Z`.',
  MicroTime: 'A time with microseconds, RFC 3339: `2026-01-02T15:04:05.000000Z`.',
  Duration: 'A duration: `1m30s`.',
  Quantity: 'A quantity: `500m`, `1Gi`.',
  IntOrString: 'A number, or a text such as `25%` or the name of a port.',
};

/** The comment of a message, or undefined where nothing is known but its name. */
export function messageComment(message: ModelMessage): string | undefined {
  const { name, upstreamName, source, isKind } = message;
  const apiVersion = source.group === '' ? source.version : `${source.group}/${source.version}`;
  const said = kindDescription(name);
  const isNamed = said !== `${upstreamName}.`;
  if (!isKind) return isNamed ? comment([said], '') : undefined;
  return comment([isNamed ? said : `The kind ${upstreamName}.`, `API version \`${apiVersion}\`.`], '');
}

/** The comment of a field, or undefined where its name and type say all there is to say. */
export function fieldComment(message: ModelMessage, field: ModelField): string | undefined {
  const said = fieldDescription(message.name, field.name, message.isKind);
  const facts = [said, formOf(field), mergeOf(field), defaultOf(field)].filter((fact) => fact !== '');
  return facts.length === 0 ? undefined : comment(facts, '  ');
}

function formOf({ type }: ModelField): string {
  const form = forms[type.replace(/^(\[\]|\{\})/, '')] ?? '';
  if (form === '' || !/^(\[\]|\{\})/.test(type)) return form;
  return `${type.startsWith('[]') ? 'Each' : 'Each value'}: ${form[0]?.toLowerCase()}${form.slice(1)}`;
}

function mergeOf({ flags }: ModelField): string {
  const valued = (key: string) => flags.find((flag) => flag.startsWith(`${key}=`))?.slice(key.length + 1);
  const [listType, keys] = valued('list')?.split(':') ?? [];
  const names = keys ?? valued('key');
  if (names)
    return `Items are merged by ${names
      .split(',')
      .map((name) => `\`${name}\``)
      .join(' and ')}.`;
  if (listType === 'set') return 'Each value once; merged.';
  return listType === 'atomic' || valued('map') === 'atomic' || flags.includes('atomic')
    ? 'Replaced as a whole.'
    : '';
}

function defaultOf({ flags }: ModelField): string {
  const text = flags.find((flag) => flag.startsWith('default='))?.slice('default='.length);
  return text === undefined || text === '""' ? '' : `Default \`${text}\`.`;
}

function comment(sentences: readonly string[], indent: string): string {
  return `${indent}/** ${sentences.join(' ').replaceAll('*/', '*\\/')} */`;
}
