import {
  child,
  type FieldError,
  invalidValue,
  type JsonValue,
  ownValue,
  parseDurationMs,
  required,
} from '@wherry/kubeapi';
import type { StrictReader } from '../documents/strict-reader.ts';
import type { KmsSettings } from './configuration.ts';

const defaultTimeoutMs = 3_000;

/**
 * The provider `kms` of an EncryptionConfiguration, or what is wrong with it. `names` are those of the providers before, and get
 * this one's.
 */
export function readKms(
  path: string,
  value: JsonValue | undefined,
  { reader, names }: { reader: StrictReader; names: Set<string> },
): { settings: KmsSettings; problems: FieldError[] } {
  const kms = reader.object(path, value, ['apiVersion', 'name', 'cachesize', 'endpoint', 'timeout']);
  const text = (field: string) => reader.text(child(path, field), ownValue(kms, field));
  const [name, endpoint, version] = [text('name'), text('endpoint'), text('apiVersion') || 'v1'];
  const problems: FieldError[] = [];
  const refuse = (field: string, shown: JsonValue, why: string) =>
    problems.push(invalidValue(child(path, field), shown, why));
  if (version === 'v1') refuse('apiVersion', version, 'KMS v1 is not known here; v2 is');
  else if (version !== 'v2') refuse('apiVersion', version, 'must be v2');
  if ((ownValue(kms, 'cachesize') ?? null) !== null)
    refuse('cachesize', ownValue(kms, 'cachesize')!, 'v2 has none');
  if (name === '') problems.push(required(child(path, 'name'), 'a provider has a name'));
  if (name.includes(':')) refuse('name', name, 'must not have a colon');
  if (names.has(name)) refuse('name', name, 'another provider has that name');
  names.add(name);
  if (endpoint === '') problems.push(required(child(path, 'endpoint'), 'a provider has an address'));
  else if (!/^unix:\/\/\/[^@]/.test(endpoint))
    refuse('endpoint', endpoint, 'must be the path of a unix socket, unix:///PATH');
  const timeoutMs = timeoutOf(text('timeout'));
  if (timeoutMs === undefined) refuse('timeout', text('timeout'), 'must be a time, as 3s');
  return { settings: { name, endpoint, timeoutMs: timeoutMs ?? defaultTimeoutMs }, problems };
}

function timeoutOf(text: string): number | undefined {
  if (text === '') return defaultTimeoutMs;
  try {
    const timeoutMs = parseDurationMs(text);
    return timeoutMs > 0 ? timeoutMs : undefined;
  } catch {
    return undefined;
  }
}
