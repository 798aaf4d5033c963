import { type JsonObject, type JsonValue, ownValue, parseTextWith } from '@wherry/kubeapi';
import { limits } from '../limits.ts';
import type { StrictReader } from './strict-reader.ts';

/** What a document has to be. */
export interface DocumentKind {
  kind: string;
  /** One of these. */
  apiVersions: readonly string[];
  /** Beside those that say what it is. */
  fields: readonly string[];
}

/** Versions of the group whose documents configure API servers. */
export const configVersions = (...versions: string[]): string[] =>
  versions.map((version) => `apiserver.config.k8s.io/${version}`);

/** The document of a file, YAML or JSON. Throws an Error that shows nothing of what stands there: it may be a key. */
export function readConfigurationDocument(
  file: Uint8Array,
  reader: StrictReader,
  expected: DocumentKind,
): JsonObject {
  return configurationDocument(parseConfiguration(file), reader, expected);
}

/** The same of what stands in another document. */
export function configurationDocument(
  value: JsonValue,
  reader: StrictReader,
  { kind, apiVersions, fields }: DocumentKind,
): JsonObject {
  const root = reader.object('', value, ['apiVersion', 'kind', ...fields]);
  if (!apiVersions.some((known) => ownValue(root, 'apiVersion') === known))
    throw new Error(`apiVersion must be ${apiVersions.join(' or ')}`);
  if (ownValue(root, 'kind') !== kind) throw new Error(`kind must be ${kind}`);
  return root;
}

/** What stands in a file, YAML or JSON. Throws as {@link readConfigurationDocument} does. */
export function parseConfiguration(file: Uint8Array): JsonValue {
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
