import type { Secret } from '@wherry/kubeapi';
import { headLines, metadataLines } from '../text/labels.ts';
import { field, type Lines } from '../text/lines.ts';
import { sortedEntries } from '../text/values.ts';

/** A secret: how long its words are, never what they are. */
export function describeSecret({ metadata, type, data }: Secret): Lines {
  return [
    ...headLines(metadata),
    ...metadataLines(metadata),
    '',
    field('Type', type),
    '',
    'Data',
    '====',
    ...sortedEntries(data).map(([key, value]) => field(key, `${lengthOf(value)} bytes`)),
  ];
}

/** Of what base64 holds. */
export const lengthOf = (base64: string): number => Buffer.from(base64, 'base64').length;
