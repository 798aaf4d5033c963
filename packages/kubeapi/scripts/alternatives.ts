/** Structs that are a schema or something else in JSON, and a message with a place for each in protobuf. */
import type { ModelField } from './model.ts';

const plain = { flags: [], inline: false, required: false, omitempty: true };
const schema = (number: number): ModelField => ({
  ...plain,
  ...{ name: 'schema', number, type: 'JSONSchemaProps', flags: ['pointer'] },
});

/** By name: what else it may be, and its fields in protobuf. */
export const alternatives: ReadonlyMap<string, { or: 'list' | 'bool' | 'strings'; fields: ModelField[] }> =
  new Map([
    [
      'JSONSchemaPropsOrArray',
      {
        or: 'list',
        fields: [schema(1), { ...plain, name: 'jSONSchemas', number: 2, type: '[]JSONSchemaProps' }],
      },
    ],
    [
      'JSONSchemaPropsOrBool',
      { or: 'bool', fields: [{ ...plain, name: 'allows', number: 1, type: 'bool' }, schema(2)] },
    ],
    [
      'JSONSchemaPropsOrStringArray',
      { or: 'strings', fields: [schema(1), { ...plain, name: 'property', number: 2, type: '[]string' }] },
    ],
  ]);
