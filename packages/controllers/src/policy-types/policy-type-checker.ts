import {
  type ExpressionWarning,
  formatApiVersion,
  hasReason,
  type JsonValue,
  type NamedRuleWithOperations,
  type ParamKind,
  parseApiVersion,
  type ValidatingAdmissionPolicySpec,
} from '@wherry/kubeapi/objects';
import type { CheckedKind, VersionedKind } from '@wherry/kubeapi/type-warnings';
import type { ClusterView } from '../machinery/cluster-view.ts';
import type { ServedKinds } from '../watching/served-kinds.ts';

/** Kinds that one policy is held to. */
const kindsMax = 10;

type Engine = typeof import('@wherry/kubeapi/type-warnings');

let engine: Engine | undefined;

/** Loads what reads expressions: only clusters with policies pay for it. */
async function loadEngine(): Promise<Engine> {
  if (engine) return engine;
  const loaded = await import('@wherry/kubeapi/type-warnings');
  await loaded.loadPatternEngine();
  engine = loaded;
  return engine;
}

/** The kinds that rules name, by group, version and kind; rules with `*` name none, and sub-resources do not count. */
export function kindsOfRules(
  rules: readonly NamedRuleWithOperations[],
  served: Pick<ServedKinds, 'findResource'>,
): VersionedKind[] {
  const found = new Map<string, VersionedKind>();
  for (const { apiGroups = [], apiVersions = [], resources = [] } of rules) {
    if ([...apiGroups, ...apiVersions].some((name) => name.includes('*'))) continue;
    const wanted = resources.filter((name) => !/[*/]/.test(name)).sort();
    let count = 0;
    for (const group of apiGroups.toSorted())
      for (const version of apiVersions.toSorted())
        for (const plural of wanted) {
          const resource = served.findResource(formatApiVersion(group, version), plural);
          if (!resource) continue;
          const { kind } = resource;
          found.set(JSON.stringify([group, version, kind]), { group, version, kind });
          count += 1;
          if (count === kindsMax) return inOrder(found);
        }
  }
  return inOrder(found);
}

function inOrder(found: ReadonlyMap<string, VersionedKind>): VersionedKind[] {
  const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);
  return [...found.values()].sort(
    (left, right) =>
      compare(left.group, right.group) ||
      compare(left.version, right.version) ||
      compare(left.kind, right.kind),
  );
}

/** Holds policies to the types that the server tells of. */
export class PolicyTypeChecker {
  readonly #cluster: Pick<ClusterView, 'client' | 'served'>;

  constructor(cluster: Pick<ClusterView, 'client' | 'served'>) {
    this.#cluster = cluster;
  }

  /** Throws as requests do; what the server does not know is left out. */
  async warnings(spec: ValidatingAdmissionPolicySpec, signal: AbortSignal): Promise<ExpressionWarning[]> {
    const { typeWarnings } = await loadEngine();
    const { served } = this.#cluster;
    // A custom resource may be as new as the policy.
    await served.refresh(signal);
    const documents = new Documents(this.#cluster.client, signal);
    const kinds: CheckedKind[] = [];
    for (const kind of kindsOfRules(spec.matchConstraints?.resourceRules ?? [], served)) {
      const schema = await documents.schemaOf(kind);
      if (schema) kinds.push({ ...kind, schema });
    }
    const params = spec.paramKind && (await documents.schemaOf(kindOf(spec.paramKind)));
    return typeWarnings(spec, { kinds, params });
  }
}

function kindOf({ apiVersion = '', kind = '' }: ParamKind): VersionedKind {
  return { ...(parseApiVersion(apiVersion) ?? { group: '', version: '' }), kind };
}

/** What the server tells of its types, each document read once. */
class Documents {
  readonly #client: ClusterView['client'];
  readonly #signal: AbortSignal;
  readonly #known = new Map<string, Promise<JsonValue | undefined>>();

  constructor(client: ClusterView['client'], signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  async schemaOf(kind: VersionedKind): Promise<CheckedKind['schema'] | undefined> {
    const { schemaInDocument } = await loadEngine();
    const words = kind.group === '' ? ['api', kind.version] : ['apis', kind.group, kind.version];
    const path = `/openapi/v3/${words.map(encodeURIComponent).join('/')}`;
    if (!this.#known.has(path)) this.#known.set(path, this.#read(path));
    const document = await this.#known.get(path);
    return document === undefined ? undefined : schemaInDocument(document, kind);
  }

  async #read(path: string): Promise<JsonValue | undefined> {
    try {
      return await this.#client.request<JsonValue>({ method: 'GET', path, signal: this.#signal });
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }
}
