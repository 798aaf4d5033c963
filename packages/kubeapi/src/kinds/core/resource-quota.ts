/** Resource quotas: what a namespace may use. */
import type { ResourceQuota } from '../../generated/types.ts';
import { ownValue } from '../../json-value.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';

const printer: Printer<ResourceQuota> = {
  columns: [nameColumn, column('Request'), column('Limit'), ageColumn],
  cells({ metadata, status }, nowMs) {
    const names = Object.keys(status?.hard ?? {}).sort();
    const list = (isLimit: boolean) =>
      names
        .filter((name) => name.startsWith('limits.') === isLimit)
        .map((name) => `${name}: ${ownValue(status?.used, name) ?? '0'}/${ownValue(status?.hard, name)}`)
        .join(', ');
    return [metadata.name ?? '', list(false), list(true), age(metadata.creationTimestamp, nowMs)];
  },
};

/** Resource quotas: what a namespace may use. */
export const resourceQuota: KindDefinition<ResourceQuota> = {
  group: '',
  kind: 'ResourceQuota',
  printer,
  descriptions: {
    ResourceQuota: { '': 'How much a namespace may use.' },
  },
};
