/**
 * Kinds that upstream's server stores in another version than this server has them in
 * (pkg/kubeapiserver/default_storage_factory_builder.go, apiextensions-apiserver's codec).
 */
import { isJsonObject, type JsonObject, type JsonValue } from '@wherry/kubeapi';

const policies = 'admissionregistration.k8s.io';
const sameInV1: readonly string[] = ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'];

/** The apiVersion whose messages are those that stand in the store under another one. */
export function readableVersion(apiVersion: string, kind: string): string {
  const isSame = apiVersion === `${policies}/v1beta1` && sameInV1.includes(kind);
  return isSame ? `${policies}/v1` : apiVersion;
}

/** True for a definition of custom resources in the form that upstream stores. */
export function isOldDefinition(apiVersion: unknown, kind: unknown): boolean {
  return apiVersion === 'apiextensions.k8s.io/v1beta1' && kind === 'CustomResourceDefinition';
}

/** Such a definition as this server has it (upstream: apiextensions/v1beta1/defaults.go, apiextensions/v1/conversion.go). */
export function definitionOfOld(object: JsonObject): JsonObject {
  const { spec } = object;
  if (!isJsonObject(spec)) return object;
  const { version, versions, conversion, preserveUnknownFields = true, ...others } = spec;
  const { validation, subresources, additionalPrinterColumns: columns, selectableFields, ...rest } = others;
  const forAll = {
    ...(validation === undefined ? {} : { schema: validation }),
    ...(subresources === undefined ? {} : { subresources }),
    ...(columns === undefined ? {} : { additionalPrinterColumns: columns }),
    ...(selectableFields === undefined ? {} : { selectableFields }),
  };
  const listed = objectsOf(versions);
  const alone = version === undefined ? [] : [{ name: version, served: true, storage: true }];
  const all: readonly JsonObject[] = listed.length > 0 ? listed : alone;
  return {
    ...object,
    apiVersion: 'apiextensions.k8s.io/v1',
    spec: {
      ...rest,
      versions: all.map((each) => withColumns({ ...each, ...forAll })),
      conversion: conversionOf(conversion),
      ...(preserveUnknownFields === true ? { preserveUnknownFields } : {}),
    },
  };
}

function withColumns(version: JsonObject): JsonObject {
  const { additionalPrinterColumns: columns, ...rest } = version;
  if (columns === undefined) return version;
  const renamed = objectsOf(columns).map(({ JSONPath = '', ...column }) => ({
    ...column,
    jsonPath: JSONPath,
  }));
  return { ...rest, additionalPrinterColumns: renamed };
}

function conversionOf(conversion: JsonValue | undefined): JsonObject {
  const {
    strategy = 'None',
    webhookClientConfig: clientConfig,
    ...rest
  } = isJsonObject(conversion) ? conversion : {};
  const { conversionReviewVersions: versions } = rest;
  if (clientConfig === undefined && versions === undefined) return { strategy };
  const webhook = {
    ...(clientConfig === undefined ? {} : { clientConfig }),
    conversionReviewVersions: versions ?? (strategy === 'Webhook' ? ['v1beta1'] : []),
  };
  return { strategy, webhook };
}

const objectsOf = (value: JsonValue | undefined) => (Array.isArray(value) ? value.filter(isJsonObject) : []);
