import {
  child,
  type FieldError,
  invalidValue,
  type JsonObject,
  type JsonValue,
  joinFieldErrors,
  ownValue,
  required,
} from '@wherry/kubeapi';
import { configVersions, readConfigurationDocument } from '../documents/configuration-document.ts';
import { StrictReader } from '../documents/strict-reader.ts';
import {
  type NamedKey,
  type Provider,
  type ProviderKind,
  parseGroupResource,
  providerKinds,
  type ResourceRule,
} from './configuration.ts';
import { readKms } from './read-kms.ts';
import { maskedProblem, resourceProblems } from './resource-rules.ts';

const aesKeyBytes = [16, 24, 32];
const keyBytes: ReadonlyMap<ProviderKind, readonly number[]> = new Map([
  ['aesgcm', aesKeyBytes],
  ['aescbc', aesKeyBytes],
  ['secretbox', [32]],
]);
const oneOfThem = 'kms, aesgcm, aescbc, secretbox or identity';

/**
 * The rules of an EncryptionConfiguration (apiserver.config.k8s.io/v1), in YAML or JSON. Throws an Error that names the places of
 * all that is wrong, by upstream's rules (apis/apiserver/validation); no key stands in it.
 */
export function readConfiguration(file: Uint8Array): ResourceRule[] {
  const reader = new StrictReader();
  const root = readConfigurationDocument(file, reader, {
    ...{ kind: 'EncryptionConfiguration', apiVersions: configVersions('v1'), fields: ['resources'] },
  });
  const problems: FieldError[] = [];
  const ruleReader = new RuleReader(reader, problems);
  const rules = reader.list(root, '', 'resources').map(([path, value]) => ruleReader.rule(path, value));
  if (rules.length === 0) problems.push(required('resources', 'at least one entry'));
  const masked = problems.length === 0 ? maskedProblem(rules) : undefined;
  if (masked) problems.push(masked);
  if (problems.length > 0) throw new Error(joinFieldErrors(problems));
  return rules;
}

/** Reads the entries of the list, and notes what breaks a rule. */
class RuleReader {
  readonly #reader: StrictReader;
  readonly #problems: FieldError[];
  readonly #kmsNames = new Set<string>();

  constructor(reader: StrictReader, problems: FieldError[]) {
    this.#reader = reader;
    this.#problems = problems;
  }

  rule(path: string, value: JsonValue): ResourceRule {
    const rule = this.#reader.object(path, value, ['resources', 'providers']);
    const names = this.#reader
      .list(rule, path, 'resources')
      .map(([place, name]) => this.#reader.text(place, name));
    this.#problems.push(...resourceProblems(child(path, 'resources'), names));
    const providers = this.#reader
      .list(rule, path, 'providers')
      .flatMap(([place, provider]) => this.#provider(place, provider));
    const isNone = (ownValue(rule, 'providers') ?? []) as readonly JsonValue[];
    if (isNone.length === 0) this.#problems.push(required(child(path, 'providers'), 'at least one provider'));
    return { resources: names.map(parseGroupResource), providers };
  }

  #provider(path: string, value: JsonValue): Provider[] {
    const provider = this.#reader.object(path, value, [...providerKinds]);
    const given = Object.keys(provider).filter((name) => (ownValue(provider, name) ?? null) !== null);
    const [first] = given;
    if (first === undefined) return this.#refuse(path, `names no provider; it is ${oneOfThem}`);
    if (given.length > 1) return this.#refuse(path, 'names several providers; each is an item of its own');
    const here = child(path, first);
    const found = providerKinds.find((each) => each === first)!;
    const body = ownValue(provider, first);
    if (found === 'kms') {
      const { settings, problems } = readKms(here, body, { reader: this.#reader, names: this.#kmsNames });
      this.#problems.push(...problems);
      return [{ kind: found, keys: [], kms: settings }];
    }
    if (found !== 'identity') return [{ kind: found, keys: this.#keys(here, body, keyBytes.get(found)!) }];
    this.#reader.object(here, body, []);
    return [{ kind: found, keys: [] }];
  }

  #refuse(path: string, why: string): [] {
    this.#problems.push({ type: 'FieldValueInvalid', field: path, body: `Invalid value: ${why}` });
    return [];
  }

  #keys(path: string, value: JsonValue | undefined, lengths: readonly number[]): NamedKey[] {
    const keys = this.#reader.list(this.#reader.object(path, value, ['keys']), path, 'keys');
    if (keys.length === 0) this.#problems.push(required(child(path, 'keys'), 'at least one key'));
    return keys.flatMap(([place, item]) => {
      const key = this.#reader.object(place, item, ['name', 'secret']);
      const name = this.#reader.text(child(place, 'name'), ownValue(key, 'name'));
      if (name === '') this.#problems.push(required(child(place, 'name'), 'a key has a name'));
      return this.#secret(key, child(place, 'secret'), lengths).map((secret) => ({ name, key: secret }));
    });
  }

  /** None where it is bad. */
  #secret(key: JsonObject, path: string, lengths: readonly number[]): Buffer[] {
    const text = this.#reader.text(path, ownValue(key, 'secret'));
    const bytes = decodeBase64(text);
    if (text === '') this.#problems.push(required(path, 'a key has a secret'));
    else if (!bytes) this.#problems.push(invalidValue(path, 'REDACTED', 'must be base64'));
    else if (!lengths.includes(bytes.length)) {
      const why = `must be one of ${lengths.join(', ')} bytes long, and is ${bytes.length}`;
      this.#problems.push(invalidValue(path, 'REDACTED', why));
    } else return [bytes];
    return [];
  }
}

/** Undefined on what is none; ends of lines may stand in it. */
function decodeBase64(text: string): Buffer | undefined {
  const bare = text.replace(/[\r\n]/g, '');
  const isBase64 = bare.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(bare);
  return isBase64 ? Buffer.from(bare, 'base64') : undefined;
}
