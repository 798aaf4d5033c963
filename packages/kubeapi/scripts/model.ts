/** Turns what the Go packages declare into the schema's messages: unique names, field types, flags. */
import { alternatives } from './alternatives.ts';
import type { GoField, GoPackage } from './go-types.ts';
import type { SourcePackage } from './sources.ts';

/** A package and its parsed text. */
export interface LoadedPackage {
  source: SourcePackage;
  go: GoPackage;
}

/** One field of the schema. */
export interface ModelField {
  name: string;
  number: number;
  /** `string`, `[]Container`, `{}Quantity`, `RestartPolicy`, … */
  type: string;
  flags: string[];
  inline: boolean;
  required: boolean;
  omitempty: boolean;
}

/** One message of the schema. */
export interface ModelMessage {
  /** Unique over all packages. */
  name: string;
  upstreamName: string;
  source: SourcePackage;
  flags: string[];
  isKind: boolean;
  fields: ModelField[];
  /** What it may be in JSON instead of its first message. */
  or?: 'list' | 'bool' | 'strings';
}

/** The whole schema. */
export interface Model {
  messages: ModelMessage[];
  enums: Map<string, string[]>;
}

const scalars = new Set(['string', 'bool', 'int32', 'int64', 'float64', '[]byte', 'interface{}', 'uint8']);
const wellKnown: Record<string, string> = {
  'types.UID': 'string',
  'types.NodeName': 'string',
  'intstr.IntOrString': 'IntOrString',
  'resource.Quantity': 'Quantity',
  'runtime.RawExtension': 'RawExtension',
  'interface{}': 'Any',
  JSON: 'Any',
  '[]byte': 'bytes',
  float64: 'double',
};
const specialStructs = new Set([
  'Time',
  'MicroTime',
  'Duration',
  'FieldsV1',
  'Timestamp',
  'TypeMeta',
  'InternalEvent',
  'Patch',
]);
const prefixes: Record<string, string> = {
  metav1: 'meta/v1',
  corev1: 'core/v1',
  apiv1: 'core/v1',
  v1: 'core/v1',
  authenticationv1: 'authentication/v1',
};

const pascal = (text: string) =>
  text.replace(/(^|\/)(\w)/g, (_, _slash, letter: string) => letter.toUpperCase());

/** Gives each name to the first package that has it; later ones are called `EventsV1Event`. */
function uniqueNames(loaded: LoadedPackage[]): Map<string, string> {
  const taken = new Set<string>([
    'Time',
    'MicroTime',
    'Duration',
    'FieldsV1',
    'Quantity',
    'IntOrString',
    'RawExtension',
    'Any',
  ]);
  const names = new Map<string, string>();
  for (const { source, go } of loaded) {
    for (const name of [...go.structs.keys(), ...go.enums.keys()]) {
      const unique = taken.has(name) && !specialStructs.has(name) ? pascal(source.id) + name : name;
      taken.add(unique);
      names.set(`${source.id}.${name}`, unique);
    }
  }
  return names;
}

/** Builds the schema; throws when a field's type is not understood. */
export function buildModel(loaded: LoadedPackage[]): Model {
  const names = uniqueNames(loaded);
  const byId = new Map(loaded.map((entry) => [entry.source.id, entry]));

  function resolve(goType: string, home: LoadedPackage): string {
    const bare = goType.replace(/^\*/, '');
    if (wellKnown[bare]) return wellKnown[bare];
    if (bare.startsWith('[]')) return `[]${resolve(bare.slice(2), home)}`;
    const map = /^map\[[\w.]+\](.+)$/.exec(bare);
    if (map) return `{}${resolve(map[1]!, home)}`;
    if (scalars.has(bare)) return bare;
    return resolveNamed(bare, home);
  }

  function resolveNamed(bare: string, home: LoadedPackage): string {
    const [prefix, local] = bare.includes('.') ? bare.split('.') : [undefined, bare];
    const target = prefix ? byId.get(prefixes[prefix] ?? '') : home;
    if (!target || !local) throw new Error(`type ${bare} of ${home.source.id}: unknown package`);
    if (target.source.id === 'meta/v1' && specialStructs.has(local)) return local;
    if (target.go.wrappedSlices.has(local)) return 'Strings';
    const unique = names.get(`${target.source.id}.${local}`);
    if (unique) return unique;
    const alias = target.go.aliases.get(local);
    if (!alias) throw new Error(`type ${bare} of ${home.source.id}: not declared`);
    return resolve(alias, target);
  }

  const messages: ModelMessage[] = [];
  for (const entry of loaded) {
    for (const [goName, struct] of entry.go.structs) {
      if (entry.source.id === 'meta/v1' && specialStructs.has(goName)) continue;
      const alternative = alternatives.get(goName);
      if (alternative) {
        const { or, fields } = alternative;
        const { source } = entry;
        messages.push({
          name: goName,
          upstreamName: goName,
          source,
          flags: [`or=${or}`],
          isKind: false,
          fields,
          or,
        });
        continue;
      }
      const declared = struct.fields.filter(
        (field) => field.tags.has('json') && field.tags.get('json') !== '-',
      );
      if (declared.length === 0 && struct.fields.length > 0) continue;
      const isTypeMeta = (field: GoField) => /(^|\.)TypeMeta$/.test(field.goType);
      messages.push({
        name: names.get(`${entry.source.id}.${goName}`)!,
        upstreamName: goName,
        source: entry.source,
        flags: struct.markers.get('structType') === 'atomic' ? ['atomic'] : [],
        isKind: declared.some(isTypeMeta),
        fields: declared
          .filter((field) => !isTypeMeta(field))
          .map((field) => buildField(field, resolve(field.goType, entry), entry.go)),
      });
    }
  }
  const enums = loaded.flatMap(({ source, go }) =>
    [...go.enums].map(([name, values]): [string, string[]] => [names.get(`${source.id}.${name}`)!, values]),
  );
  return { messages, enums: new Map(enums) };
}

function buildField(field: GoField, type: string, go: GoPackage): ModelField {
  const [name = '', ...options] = field.tags.get('json')!.split(',');
  const inline = options.includes('inline');
  const omitempty = options.includes('omitempty') || options.includes('omitzero');
  const optional = field.markers.has('optional');
  const required = !inline && (field.markers.has('required') || (!omitempty && !optional));
  const flags: string[] = [];
  if (inline) flags.push('inline');
  if (field.goType.startsWith('*')) flags.push('pointer');
  if (required) flags.push('required');
  if (!omitempty && !inline) flags.push('keep');
  if (options.includes('omitzero')) flags.push('omitzero');
  flags.push(...listFlags(field), ...defaultFlags(field, go));
  const protobuf = field.tags.get('protobuf')?.split(',');
  return {
    name: inline ? decapitalize(type) : name,
    number: Number(protobuf?.[1] ?? 0),
    type,
    flags,
    inline,
    required,
    omitempty,
  };
}

const decapitalize = (text: string) => (text[0] ?? '').toLowerCase() + text.slice(1);

function listFlags(field: GoField): string[] {
  const flags: string[] = [];
  const listType = field.markers.get('listType');
  const keys = field.markers.get('listMapKey');
  if (listType) flags.push(`list=${listType}${keys ? `:${keys}` : ''}`);
  if (field.markers.has('mapType')) flags.push(`map=${field.markers.get('mapType')}`);
  const structType = field.markers.get('structType');
  if (structType === 'atomic' || structType === 'granular') flags.push(structType);
  if (field.tags.has('patchStrategy')) flags.push(`patch=${field.tags.get('patchStrategy')}`);
  if (field.tags.has('patchMergeKey')) flags.push(`key=${field.tags.get('patchMergeKey')}`);
  return flags;
}

function defaultFlags(field: GoField, go: GoPackage): string[] {
  const marker = field.markers.get('default');
  if (typeof marker !== 'string') return [];
  const reference = /^ref\((?:[\w/.]+\.)?(\w+)\)$/.exec(marker)?.[1];
  const value = reference ? go.constants.get(reference) : JSON.parse(marker);
  return value === undefined ? [] : [`default=${JSON.stringify(value)}`];
}
