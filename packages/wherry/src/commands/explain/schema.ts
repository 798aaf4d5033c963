import { ownValue } from '@wherry/kubeapi';

/** What is read of a schema of OpenAPI v3. */
export interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  externalDocs?: { description?: string; url?: string };
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  enum?: unknown[];
  'x-kubernetes-group-version-kind'?: GroupVersionKind[];
}

/** A kind as OpenAPI names it. */
export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

/** The OpenAPI v3 document of one group version. */
export interface OpenApi {
  paths?: Record<string, Record<string, { 'x-kubernetes-group-version-kind'?: GroupVersionKind }>>;
  components?: { schemas?: Record<string, Schema> };
}

/** True for a schema that says anything. */
export const saysSomething = (schema: Schema | boolean | undefined): schema is Schema =>
  typeof schema === 'object' && schema !== null && Object.keys(schema).length > 0;

/** The schema of a map's values; undefined for what is no map, or one of anything. */
export const valuesOf = ({ additionalProperties }: Schema): Schema | undefined =>
  saysSomething(additionalProperties) ? additionalProperties : undefined;

/** The schema of a list's items. */
export const itemsOf = ({ items }: Schema): Schema | undefined => (saysSomething(items) ? items : undefined);

/** What a reference inside of the document leads to. */
export function referred(reference: string | undefined, document: OpenApi): Schema | undefined {
  const [, name] = /^#\/components\/schemas\/([^/]+)$/.exec(reference ?? '') ?? [];
  const schema = name === undefined ? undefined : ownValue(document.components?.schemas ?? {}, name);
  return saysSomething(schema) ? schema : undefined;
}

/** The schema, or what it refers to. */
export const resolved = (schema: Schema, document: OpenApi): Schema =>
  referred(schema.$ref, document) ?? schema;

/** The references by which a walk through schemas came where it is. */
export type Way = ReadonlySet<string>;

/** The way behind a schema, for those below it. */
export const wayBehind = (way: Way, { $ref }: Schema): Way => ($ref ? new Set([...way, $ref]) : way);

/** True for a reference that the way came by: below it stands what has been told. */
export const isCycle = (way: Way, { $ref }: Schema): boolean => $ref !== undefined && way.has($ref);
