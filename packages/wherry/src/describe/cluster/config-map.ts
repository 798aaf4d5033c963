import type { ConfigMap } from '@wherry/kubeapi';
import { lengthOf } from '../access/secret.ts';
import { eventLines } from '../events.ts';
import type { Surroundings } from '../surroundings.ts';
import { headLines, metadataLines } from '../text/labels.ts';
import type { Lines } from '../text/lines.ts';
import { sortedEntries } from '../text/values.ts';

/** A config map, with what is in it. Throws `StatusError` where its events may not be read, as kubectl does for no other kind. */
export async function describeConfigMap(one: ConfigMap, surroundings: Surroundings): Promise<Lines> {
  const { metadata, data, binaryData } = one;
  const { name, namespace, uid } = metadata;
  const subject = { name, namespace, uid, kind: 'ConfigMap' };
  return [
    ...headLines(metadata),
    ...metadataLines(metadata),
    ...['', 'Data', '===='],
    ...sortedEntries(data).flatMap(([key, value]) => [`${key}:`, '----', value, '']),
    ...['', 'BinaryData', '===='],
    ...sortedEntries(binaryData).map(([key, value]) => `${key}: ${lengthOf(value)} bytes`),
    '',
    ...(surroundings.showEvents ? eventLines(await surroundings.readEvents(subject)) : []),
  ];
}
