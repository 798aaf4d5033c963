/** What a version of a definition says beside its schema: columns, sub-resources, fields to select by. */
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  JSONSchemaProps,
  SelectableField,
} from '../../generated/types.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  required,
  tooMany,
} from '../../status/field-error.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const selectableTypes = ['string', 'boolean', 'integer'];
const selectableFieldsMax = 8;
const warningLengthMax = 256;

/** Violations in the columns of tables. */
export function columnErrors(
  columns: readonly CustomResourceColumnDefinition[],
  path: FieldPath,
): FieldError[] {
  return columns.flatMap(({ name, type, format = '', jsonPath }, index) => {
    const place = (key: string) => child(at(path, index), key);
    const oneOf = (values: string[]) => `must be one of ${values.join(',')}`;
    return [
      ...(name === '' ? [required(place('name'))] : []),
      ...(type === '' ? [required(place('type'), oneOf(columnTypes))] : []),
      ...(type !== '' && !columnTypes.includes(type)
        ? [invalidValue(place('type'), type, oneOf(columnTypes))]
        : []),
      ...(format !== '' && !columnFormats.includes(format)
        ? [invalidValue(place('format'), format, oneOf(columnFormats))]
        : []),
      ...(jsonPath === '' ? [required(place('JSONPath'))] : []),
      ...(/^[^.]/.test(jsonPath)
        ? [invalidValue(place('JSONPath'), jsonPath, 'must be a simple json path starting with .')]
        : []),
    ];
  });
}

/** Violations in the sub-resources. */
export function subresourceErrors({ scale }: CustomResourceSubresources, path: FieldPath): FieldError[] {
  if (!scale) return [];
  const under = (value: string, parts: readonly string[], place: FieldPath): FieldError[] => {
    if (!value.startsWith('.'))
      return [invalidValue(place, value, 'must be a simple json path starting with .')];
    if (parts.some((part) => value.startsWith(`.${part}.`))) return [];
    const where =
      parts.length > 1 ? `either ${parts.map((part) => `.${part}`).join(' or ')}` : `.${parts[0]}`;
    return [invalidValue(place, value, `should be a json path under ${where}`)];
  };
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  const place = (key: string) => child(path, `scale.${key}`);
  return [
    ...(specReplicasPath === ''
      ? [required(place('specReplicasPath'))]
      : under(specReplicasPath, ['spec'], place('specReplicasPath'))),
    ...(statusReplicasPath === ''
      ? [required(place('statusReplicasPath'))]
      : under(statusReplicasPath, ['status'], place('statusReplicasPath'))),
    ...(labelSelectorPath ? under(labelSelectorPath, ['spec', 'status'], place('labelSelectorPath')) : []),
  ];
}

/** Violations in the fields that objects may be selected by. */
export function selectableErrors(
  fields: readonly SelectableField[],
  schema: JSONSchemaProps | undefined,
  path: FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  const errors = fields.flatMap(({ jsonPath }, index) => {
    const place = child(at(path, index), 'jsonPath');
    if (jsonPath === '') return [required(place)];
    const names = /^(?:\.[A-Za-z_]\w*)+$/.test(jsonPath) ? jsonPath.slice(1).split('.') : undefined;
    const found = names && schemaAt(schema, names);
    if (!found)
      return [invalidValue(place, jsonPath, 'is an invalid path: it leads to no field of the schema')];
    const isRepeated = seen.has(jsonPath);
    seen.add(jsonPath);
    return [
      ...(names[0] === 'metadata'
        ? [invalidValue(place, jsonPath, 'must not point to fields in metadata')]
        : []),
      ...(selectableTypes.includes(found.type ?? '')
        ? []
        : [
            invalidValue(
              place,
              jsonPath,
              'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
            ),
          ]),
      ...(isRepeated ? [duplicate(place, jsonPath)] : []),
    ];
  });
  if (seen.size > selectableFieldsMax) errors.push(tooMany(path, seen.size, selectableFieldsMax));
  return errors;
}

function schemaAt(
  schema: JSONSchemaProps | undefined,
  names: readonly string[],
): JSONSchemaProps | undefined {
  return names.reduce<JSONSchemaProps | undefined>((found, name) => {
    const { properties = {}, additionalProperties } = found ?? {};
    if (Object.hasOwn(properties, name)) return properties[name];
    return typeof additionalProperties === 'object' ? additionalProperties : undefined;
  }, schema);
}

/** Violations in what is told to whoever uses an old version. */
export function deprecationErrors(
  { deprecated, deprecationWarning }: CustomResourceDefinitionVersion,
  path: FieldPath,
): FieldError[] {
  if (deprecationWarning === undefined) return [];
  const refuse = (detail: string) => [invalidValue(path, deprecationWarning, detail)];
  if (!deprecated) return refuse('can only be set for deprecated versions');
  const at = [...deprecationWarning].findIndex((character) => /[\p{C}\p{Zl}\p{Zp}]/u.test(character));
  return [
    ...(Buffer.byteLength(deprecationWarning) > warningLengthMax
      ? refuse('must be <= 256 characters long')
      : []),
    ...(deprecationWarning === '' ? refuse('must not be an empty string') : []),
    ...(at >= 0
      ? refuse(`must only contain printable UTF-8 characters; non-printable character found at index ${at}`)
      : []),
  ];
}
