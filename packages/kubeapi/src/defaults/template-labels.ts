/** Labels that an object takes over from its template of pods. */

import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { object } from './parts.ts';

/** The labels of the template, if it has any. */
export const templateLabels = (holder: JsonObject) =>
  object(object(object(holder['spec'])['template'])['metadata'])['labels'];

/**
 * Gives an object without labels those of its template: the very same, by which who adds to these can tell that nobody
 * has chosen them.
 */
export function defaultLabels(holder: JsonObject, labels: JsonValue | undefined): void {
  const metadata = object(holder['metadata']);
  if (isJsonObject(labels) && Object.keys(object(metadata['labels'])).length === 0)
    metadata['labels'] = labels;
}
