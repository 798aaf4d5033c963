import { type JsonObject, type JsonValue, ownValue, parseTextWith } from '@wherry/kubeapi';
import { limits } from '../limits.ts';
import type { StrictReader } from './strict-reader.ts';

const group = 'apiserver.config.k8s.io';

/** What a document of {@link group} has to be. */
export interface DocumentKind {
  kind: string;
  /** One of these. */
  versions: readonly string[];
  /** Beside those that say what it is. */
  fields: readonly string[];
}

/** The document of a file, YAML or JSON. Throws an Error that shows nothing of what stands there: it may be a key. */
export function readConfigurationDocument(
  file: Uint8Array,
  reader: StrictReader,
  { kind, versions, fields }: DocumentKind,
): JsonObject {
  const root = reader.object('', parse(file), ['apiVersion', 'kind', ...fields]);
  const known = versions.map((version) => `${group}/${version}`);
  if (!known.some((each) => ownValue(root, 'apiVersion') === each))
    throw new Error(`apiVersion must be ${known.join(' or ')}`);
  if (ownValue(root, 'kind') !== kind) throw new Error(`kind must be ${kind}`);
  return root;
}

function parse(file: Uint8Array): JsonValue {
  if (file.length === 0) throw new Error('the file is empty');
  if (file.length > limits.configurationBytesMax)
    throw new Error(`the file is longer than ${limits.configurationBytesMax} bytes`);
  let duplicates: string[];
  let value: JsonValue;
  try {
    ({ value, duplicates } = parseTextWith(file, 'yaml', { findDuplicates: true }));
  } catch (error) {
    // What the parser says may show what stands there.
    const line = /line (\d+)/.exec((error as Error).message)?.[1];
    throw new Error(`it is no YAML${line === undefined ? '' : `, by its line ${line}`}`);
  }
  if (duplicates.length > 0) throw new Error(`a key stands twice: ${duplicates.join(', ')}`);
  return value;
}
