/** What kinds and fields are, in short sentences: the text behind `kubectl explain`. */

import { ownValue } from '../json/json-value.ts';
import { messageFacet } from '../kinds/index.ts';
import { metadataDescriptions } from './descriptions-metadata.ts';

const all = { ...metadataDescriptions, ...messageFacet('descriptions') };

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
