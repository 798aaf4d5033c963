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

/** An object for people: names first, then every field in its order, with words in place of field names. */
export function describeObject(object: KubeObject): string {
  const { metadata = {}, apiVersion, kind, ...rest } = object;
  const more = Object.fromEntries(Object.entries(metadata).filter(([field]) => !leftOut.has(field)));
  const top: [string, unknown][] = [
    ['Name', metadata.name],
    ...(metadata.namespace === undefined ? [] : ([['Namespace', metadata.namespace]] as [string, unknown][])),
    ['Labels', pairs(metadata.labels)],
    ['Annotations', pairs(metadata.annotations)],
    ['API Version', apiVersion],
    ['Kind', kind],
    ['Metadata', more],
    ...Object.entries(rest).map(([field, value]): [string, unknown] => [titleOf(field), value]),
  ];
  return top.flatMap(([title, value]) => lines(title, value, 0)).join('\n');
}

/** `hostIPs` is `Host IPs`. */
export function titleOf(field: string): string {
  const words = field.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z](?!s\b)[a-z])/g, '$1 $2');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function pairs(map: Record<string, string> | undefined): string[] | string {
  const all = Object.entries(map ?? {}).map(([name, value]) => `${name}=${value}`);
  return all.length === 0 ? '<none>' : all;
}

function lines(title: string, value: unknown, depth: number): string[] {
  const indent = ' '.repeat(depth * indentStep);
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return listLines(title, value, depth);
  if (typeof value !== 'object') {
    const text = shownJson(value);
    if (!text.includes('\n')) return [`${indent}${title}: ${text}`];
    return [`${indent}${title}:`, ...text.split('\n').map((line) => `${indent}  ${line}`)];
  }
  const children = Object.entries(value).flatMap(([field, child]) =>
    lines(keyTitle(field), child, depth + 1),
  );
  return children.length === 0 ? [] : [`${indent}${title}:`, ...children];
}

/** Keys of maps, such as labels, stay as they are: they hold what no field name does. */
const keyTitle = (key: string) => (/^[a-z][A-Za-z0-9]*$/.test(key) ? titleOf(key) : key);

function listLines(title: string, values: unknown[], depth: number): string[] {
  const indent = ' '.repeat(depth * indentStep);
  if (values.length === 0) return [];
  const items = values.flatMap((value, index) => {
    if (typeof value !== 'object' || value === null) return [`${indent}  ${shownJson(value)}`];
    const children = Object.entries(value).flatMap(([field, child]) =>
      lines(keyTitle(field), child, depth + 2),
    );
    const name = 'name' in value && typeof value.name === 'string' ? value.name : `${index + 1}`;
    return [`${indent}  - ${name}`, ...children.filter((line) => line.trim() !== `Name: ${name}`)];
  });
  return [`${indent}${title}:`, ...items];
}
