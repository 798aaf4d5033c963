/** OpenAPI v3 documents, one per group version, made when first asked for and kept as text. */
import { createHash } from 'node:crypto';
import type { CustomComponents } from '../custom/components.ts';
import { type JsonObject, setOwn } from '../json/json-value.ts';
import type { ResourceFacts } from '../schema/resources.ts';
import { type MessageSchema, messageSchema, schemaOfKind } from '../schema/schema.ts';
import { resourcePaths } from './paths.ts';
import { componentSchemas } from './schemas.ts';

/** A document as it goes over the wire. */
export interface OpenApiDocument {
  body: string;
  /** Upper-case hex of its SHA-512, as upstream names versions of a document. */
  hash: string;
}

/** The documents of what one server serves. */
export class OpenApiDocuments {
  readonly #served: readonly ResourceFacts[];
  readonly #custom: FindComponents;
  readonly #documents = new Map<string, OpenApiDocument>();

  constructor(served: readonly ResourceFacts[], custom: FindComponents = () => undefined) {
    this.#served = served;
    this.#custom = custom;
  }

  /** The body of `/openapi/v3`: where each document is. */
  index(): JsonObject {
    const paths: JsonObject = {};
    for (const name of this.#names()) {
      setOwn(paths, name, { serverRelativeURL: `/openapi/v3/${name}?hash=${this.document(name)?.hash}` });
    }
    return { paths };
  }

  /** The document at `/openapi/v3/NAME` (`api/v1`, `apis/apps/v1`), or undefined. */
  document(name: string): OpenApiDocument | undefined {
    const known = this.#documents.get(name);
    if (known) return known;
    const entries = this.#served.filter((entry) => documentName(entry) === name);
    if (entries.length === 0) return undefined;
    const { paths, schemas: builtIn, customSchemas } = documentParts(entries, this.#custom);
    const schemas = { ...builtIn, ...customSchemas };
    const info = { title: 'Kubernetes', version: 'unversioned' };
    const body = JSON.stringify({ openapi: '3.0.0', info, paths, components: { schemas } });
    const document = { body, hash: createHash('sha512').update(body).digest('hex').toUpperCase() };
    this.#documents.set(name, document);
    return document;
  }

  #names(): string[] {
    return [...new Set(this.#served.map(documentName))];
  }
}

function documentName({ group, version }: ResourceFacts): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

/** The components of a custom resource; undefined for built-in ones. */
export type FindComponents = (facts: ResourceFacts) => CustomComponents | undefined;

/** What documents say of some resources: paths and component schemas, as version 3 has them. */
export interface DocumentParts {
  paths: JsonObject;
  /** Of built-in types. */
  schemas: JsonObject;
  /** Of custom resources. */
  customSchemas: JsonObject;
}

/** What a document says of some resources. */
export function documentParts(
  entries: readonly ResourceFacts[],
  custom: FindComponents = () => undefined,
): DocumentParts {
  const paths: JsonObject = {};
  const customSchemas: JsonObject = {};
  const roots = new Set<MessageSchema>(['Status', 'DeleteOptions', 'WatchEvent'].map(messageSchema));
  for (const entry of entries) {
    const components = custom(entry);
    Object.assign(paths, resourcePaths(entry, components));
    if (components) {
      Object.assign(customSchemas, components.schemas);
      for (const name of ['ObjectMeta', 'ListMeta']) roots.add(messageSchema(name));
    }
    for (const { group, version, kind } of [entry, ...(entry.subresources ?? [])]) {
      for (const name of [kind, `${kind}List`]) {
        const schema = schemaOfKind({ group, version, kind: name });
        if (schema) roots.add(schema);
      }
    }
  }
  return { paths, schemas: componentSchemas(roots), customSchemas };
}
