import {
  type CustomResourceDefinition,
  type CustomResourceDefinitionVersion,
  customComponents,
  customType,
  formatApiVersion,
  isKnownFinalizer,
  type JsonObject,
  type ObjectType,
  type ResourceFacts,
  StatusError,
  type SubresourceFacts,
  type Verb,
} from '@wherry/kubeapi';
import { storageVersionHash } from '../catalog/storage-version.ts';
import type { ScaleFields } from '../kinds/scale-fields.ts';
import { valueAt } from '../kinds/scale-fields.ts';
import { type ApiObject, as } from '../objects/api-object.ts';
import type { RemoteConversion, ServedResource, Strategy } from '../objects/strategy.ts';

const verbs: Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const partVerbs: Verb[] = ['get', 'patch', 'update'];

/** What discovery tells of a definition in one of its versions, by the names that it has got. */
export function factsOf(
  { spec, status }: CustomResourceDefinition,
  { name: version, subresources }: CustomResourceDefinitionVersion,
): ResourceFacts {
  const { group, scope } = spec;
  const names = status?.acceptedNames ?? spec.names;
  const own = { group, version, kind: names.kind };
  const stored = spec.versions.find(({ storage }) => storage)?.name ?? version;
  const parts: SubresourceFacts[] = [
    ...(subresources?.status ? [{ ...own, name: 'status', verbs: partVerbs }] : []),
    ...(subresources?.scale
      ? [{ group: 'autoscaling', version: 'v1', kind: 'Scale', name: 'scale', verbs: partVerbs }]
      : []),
  ];
  return {
    ...{ ...own, plural: names.plural, singular: names.singular ?? '', namespaced: scope === 'Namespaced' },
    ...(names.shortNames ? { shortNames: names.shortNames } : {}),
    ...(names.categories ? { categories: names.categories } : {}),
    ...{ verbs, ...(parts.length > 0 ? { subresources: parts } : {}) },
    storageVersionHash: storageVersionHash({ ...own, version: stored }),
  };
}

/** What the versions of a definition share. */
export interface VersionParts {
  /** True once the definition is being deleted. */
  isEnding(): boolean;
  /** Undefined for versions that the definition has not got. */
  typeOf(apiVersion: string): ObjectType | undefined;
  /** Where another server converts between them. */
  remote: RemoteConversion | undefined;
}

/** A served version as a resource like any other. */
export function servedVersion(
  definition: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
  { isEnding, remote, typeOf }: VersionParts,
): ServedResource {
  const { group, versions } = definition.spec;
  const stored = versions.find(({ storage }) => storage) ?? version;
  const storedApiVersion = formatApiVersion(group, stored.name);
  const type = () => typeOf(formatApiVersion(group, version.name))!;
  const facts = factsOf(definition, version);
  const keyPrefix = `/${group}/${facts.plural}/`;
  return {
    facts,
    get type() {
      return type();
    },
    components: () => customComponents(definition, version),
    strategy: strategyOf(version, isEnding),
    keyPrefix,
    conversion: {
      keyPrefix,
      ...{ storedApiVersion, remote, typeOf },
      toStored: (object) => (stored === version ? object : readAs(object, typeOf(storedApiVersion)!)),
      fromStored(object) {
        const read = readAs(object, type());
        type().setDefaults(read);
        return read;
      },
    },
  };
}

/** The types of a definition's versions, each made when it is first asked for: schemas are large. */
export function versionTypes(
  definition: CustomResourceDefinition,
): (apiVersion: string) => ObjectType | undefined {
  const { group, versions } = definition.spec;
  const known = new Map(versions.map((version) => [formatApiVersion(group, version.name), version]));
  const types = new Map<string, ObjectType>();
  return (apiVersion) => {
    const version = known.get(apiVersion);
    if (!version) return undefined;
    const type = types.get(apiVersion) ?? customType(definition, version);
    types.set(apiVersion, type);
    return type;
  };
}

function readAs(object: ApiObject, type: ObjectType): ApiObject {
  return as<ApiObject>(type.read(as<JsonObject>(object)).object as unknown as ApiObject);
}

function strategyOf({ subresources }: CustomResourceDefinitionVersion, isEnding: () => boolean): Strategy {
  const hasStatus = subresources?.status !== undefined;
  return {
    prepareCreate(object) {
      if (isEnding()) throw endingRefusal();
      if (hasStatus) delete object.status;
    },
    desired({ kind: _kind, apiVersion: _apiVersion, metadata: _metadata, status, ...rest }) {
      return hasStatus ? rest : { ...rest, status };
    },
    statusKeeps: 'metadata',
    needsVersionOnUpdate: true,
    warningsOf({ metadata }, previous) {
      const before = new Set(previous?.metadata.finalizers);
      return [...new Set(metadata.finalizers).difference(before)].sort().flatMap(finalizerWarnings);
    },
  };
}

function finalizerWarnings(name: string): string[] {
  if (isKnownFinalizer(name)) return [];
  const form = name.includes('.') ? 'name including a path (/)' : 'name';
  return [
    `metadata.finalizers: ${JSON.stringify(name)}: prefer a domain-qualified finalizer ${form} to avoid accidental conflicts with other finalizer writers`,
  ];
}

function endingRefusal(): StatusError {
  const message = 'create not allowed while custom resource definition is terminating';
  return new StatusError({ code: 405, reason: 'MethodNotAllowed', message });
}

/** Where the objects of a version have their numbers of replicas; undefined where it has no scale. */
export function scaleFieldsOf({ subresources }: CustomResourceDefinitionVersion): ScaleFields | undefined {
  const { scale } = subresources ?? {};
  if (!scale) return undefined;
  const names = (path: string) => path.split('.').filter((name) => name !== '');
  const selector = names(scale.labelSelectorPath ?? '');
  return {
    replicas: names(scale.specReplicasPath),
    statusReplicas: names(scale.statusReplicasPath),
    selector(object) {
      const found = selector.length > 0 ? valueAt(object, selector) : '';
      return typeof found === 'string' ? found : '';
    },
    needsReplicas: true,
  };
}
