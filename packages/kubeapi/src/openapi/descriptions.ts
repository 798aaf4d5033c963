/** What kinds and fields are, in short sentences: the text behind `kubectl explain`. */

import { ownValue } from '../json-value.ts';
import { clusterDescriptions } from './descriptions-cluster.ts';
import { containerDescriptions } from './descriptions-container.ts';
import { metadataDescriptions } from './descriptions-metadata.ts';
import { podDescriptions } from './descriptions-pod.ts';
import { batchDescriptions } from './descriptions-workloads.ts';

/** Message → its own sentence under the empty key, and one per field. */
export type Descriptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

const all: Descriptions = {
  ...metadataDescriptions,
  ...podDescriptions,
  ...containerDescriptions,
  ...batchDescriptions,
  ...clusterDescriptions,
};

const ofEveryKind: Readonly<Record<string, string>> = {
  apiVersion: 'The version of the schema that this object is written in.',
  kind: 'What this object is. Cannot be changed.',
  metadata: 'Name, namespace, labels and whatever else every object has.',
  spec: 'What is wanted.',
  status: 'What was last seen of it. Written by the system.',
  items: 'The objects of the list.',
};

/** What a message is; its name where nothing better is known. */
export function kindDescription(message: string): string {
  return ownValue(all, message)?.[''] ?? `${message.replace(/^[A-Z][a-z]+V\d/, '')}.`;
}

/** What a field is for; empty where nothing is known. */
export function fieldDescription(message: string, field: string, isKind: boolean): string {
  return ownValue(ownValue(all, message), field) ?? (isKind ? ownValue(ofEveryKind, field) : undefined) ?? '';
}
