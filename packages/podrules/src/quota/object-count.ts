import { countOf, objectCountName, type QuotaMeasure } from './measure.ts';

/** Names that are older than `count/…`. */
const aliases: ReadonlySet<string> = new Set([
  ...['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'],
]);

/** Objects of which nothing but their number is measured. */
export function objectCount(resource: { group: string; plural: string }): QuotaMeasure {
  const { group, plural } = resource;
  const hasAlias = group === '' && aliases.has(plural);
  const names = [objectCountName(resource), ...(hasAlias ? [plural] : [])];
  return {
    measures: (name) => names.includes(name),
    usage: () => new Map(names.map((name) => [name, countOf(1)])),
  };
}
