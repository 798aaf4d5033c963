import { shownJson } from '@wherry/bytes';
import type { KubeObject } from '@wherry/client';

const indentStep = 2;
/** Said at the top, or of no use to people. */
const leftOut = new Set([
  'managedFields',
  'name',
  'namespace',
  'labels',
  'annotations',
  'uid',
  'resourceVersion',
]);

/** What kubectl applied, once more and as a whole: a secret's words among it. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * An object for people: names first, then every field in its order, with words in place of field names. Of what a secret
 * holds there is the length alone.
 */
export function describeObject(object: KubeObject): string {
  const { metadata = {}, apiVersion, kind, ...rest } = object;
  const more = Object.fromEntries(Object.entries(metadata).filter(([field]) => !leftOut.has(field)));
  const isSecret = apiVersion === 'v1' && kind === 'Secret';
  const top: [string, unknown, string?][] = [
    ['Name', metadata.name],
    ...(metadata.namespace === undefined ? [] : ([['Namespace', metadata.namespace]] as [string, unknown][])),
    ['Labels', pairs(metadata.labels)],
    ['Annotations', pairs(metadata.annotations, lastApplied)],
    ['API Version', apiVersion],
    ['Kind', kind],
    ['Metadata', more],
    ...Object.entries(rest).map(([field, value]): [string, unknown, string] => [
      ...([titleOf(field), isSecret && field === 'data' ? lengths(value) : value] as const),
      field,
    ]),
  ];
  return top.flatMap(([title, value, field]) => lines(title, value, 0, field)).join('\n');
}

/** Fields for people, under a title. */
export const describeFields = (title: string, fields: object): string => lines(title, fields, 0).join('\n');

/** `hostIPs` is `Host IPs`. */
export function titleOf(field: string): string {
  const words = field.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z](?!s\b)[a-z])/g, '$1 $2');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function lengths(data: unknown): Record<string, string> {
  const all = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  return Object.fromEntries(
    all.map(([name, value]) => [name, `${Buffer.from(shownJson(value), 'base64').length} bytes`]),
  );
}

function pairs(map: Record<string, string> | undefined, leftOut?: string): string[] | string {
  const all = Object.entries(map ?? {})
    .filter(([name]) => name !== leftOut)
    .map(([name, value]) => `${name}=${value}`);
  return all.length === 0 ? '<none>' : all;
}

function lines(title: string, value: unknown, depth: number, of?: string): string[] {
  const indent = ' '.repeat(depth * indentStep);
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return listLines(title, value, depth);
  if (typeof value !== 'object') {
    const text = shownJson(value);
    if (!text.includes('\n')) return [`${indent}${title}: ${text}`];
    return [`${indent}${title}:`, ...text.split('\n').map((line) => `${indent}  ${line}`)];
  }
  const children = Object.entries(value).flatMap(([field, child]) =>
    lines(isMap(of, value) ? field : keyTitle(field), child, depth + 1, field),
  );
  return children.length === 0 ? [] : [`${indent}${title}:`, ...children];
}

/** Fields whose keys are words of their author, not names of fields. */
const maps = new Set([
  ...['data', 'binaryData', 'labels', 'annotations', 'matchLabels', 'nodeSelector', 'parameters'],
  ...['limits', 'requests', 'capacity', 'allocatable', 'hard', 'used', 'allocatedResources', 'overhead'],
]);

const isMap = (field: string | undefined, value: object): boolean =>
  field !== undefined &&
  (maps.has(field) ||
    (field === 'selector' && Object.values(value).every((child) => typeof child === 'string')));

/** Keys of other maps stay as they are where they hold what no field name does. */
const keyTitle = (key: string) => (/^[a-z][A-Za-z0-9]*$/.test(key) ? titleOf(key) : key);

function listLines(title: string, values: unknown[], depth: number): string[] {
  const indent = ' '.repeat(depth * indentStep);
  if (values.length === 0) return [];
  const items = values.flatMap((value, index) => {
    if (typeof value !== 'object' || value === null) return [`${indent}  ${shownJson(value)}`];
    const children = Object.entries(value).flatMap(([field, child]) =>
      lines(keyTitle(field), child, depth + 2, field),
    );
    const name = 'name' in value && typeof value.name === 'string' ? value.name : `${index + 1}`;
    return [`${indent}  - ${name}`, ...children.filter((line) => line.trim() !== `Name: ${name}`)];
  });
  return [`${indent}${title}:`, ...items];
}
