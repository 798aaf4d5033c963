/** Prints one small TypeScript interface per message, in the JSON form of the objects, with what is known of its fields. */
import type { Model, ModelField, ModelMessage } from './model.ts';
import { fieldComment, messageComment } from './write-comments.ts';

const jsonTypes: Record<string, string> = {
  bool: 'boolean',
  int32: 'number',
  int64: 'number',
  double: 'number',
  bytes: 'string',
  Time: 'string',
  MicroTime: 'string',
  Duration: 'string',
  Quantity: 'string',
  IntOrString: 'number | string',
  Strings: 'string[]',
  RawExtension: 'JsonObject',
  FieldsV1: 'JsonObject',
  Any: 'JsonValue',
};

const alternativeTypes = { list: 'JSONSchemaProps[]', bool: 'boolean', strings: 'string[]' };

function typeText(type: string): string {
  if (type.startsWith('[]')) {
    const item = typeText(type.slice(2));
    return item.includes('|') ? `(${item})[]` : `${item}[]`;
  }
  if (type.startsWith('{}')) return `Record<string, ${typeText(type.slice(2))}>`;
  return jsonTypes[type] ?? type;
}

function fieldText(message: ModelMessage, field: ModelField): string {
  const always = message.isKind && (field.name === 'metadata' || field.name === 'spec');
  const name = /^[a-zA-Z]\w*$/.test(field.name) ? field.name : `'${field.name}'`;
  return `  ${name}${field.required || always ? '' : '?'}: ${typeText(field.type)};`;
}

/** The text of generated/types.ts. */
export function writeTypes(model: Model): string {
  const lines = ["import type { JsonObject, JsonValue, TypeMeta } from '../json/json-value.ts';", ''];
  for (const message of model.messages) {
    if (message.or) {
      lines.push(`export type ${message.name} = JSONSchemaProps | ${alternativeTypes[message.or]};`);
      continue;
    }
    const parents = message.fields.filter((field) => field.inline).map((field) => field.type);
    if (message.isKind) parents.unshift('TypeMeta');
    const heritage = parents.length > 0 ? ` extends ${parents.join(', ')}` : '';
    const own = message.fields
      .filter((field) => !field.inline)
      .flatMap((field) => [fieldComment(message, field) ?? [], fieldText(message, field)].flat());
    lines.push(...[messageComment(message) ?? []].flat());
    if (own.length === 0 && parents.length === 0)
      lines.push(`export type ${message.name} = Record<string, never>;`);
    else lines.push(`export interface ${message.name}${heritage} {`, ...own, '}');
  }
  for (const [name, values] of model.enums) {
    lines.push(`export type ${name} = ${values.map((value) => `'${value}'`).join(' | ') || 'string'};`);
  }
  return `${lines.join('\n')}\n`;
}
