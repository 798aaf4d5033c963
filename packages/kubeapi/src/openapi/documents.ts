/** OpenAPI v3 documents, one per group version, made when first asked for and kept as text. */
import { createHash } from 'node:crypto';
import { type JsonObject, setOwn } from '../json-value.ts';
import type { ResourceFacts } from '../resources.ts';
import { type MessageSchema, messageSchema, schemaOfKind } from '../schema.ts';
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
  readonly #documents = new Map<string, OpenApiDocument>();

  constructor(served: readonly ResourceFacts[]) {
    this.#served = served;
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
    const { paths, schemas } = documentParts(entries);
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

/** What a document says of some resources: paths and component schemas, as version 3 has them. */
export function documentParts(entries: readonly ResourceFacts[]): { paths: JsonObject; schemas: JsonObject } {
  const paths: JsonObject = {};
  const roots = new Set<MessageSchema>([messageSchema('Status'), messageSchema('DeleteOptions')]);
  for (const entry of entries) {
    Object.assign(paths, resourcePaths(entry));
    for (const { group, version, kind } of [entry, ...(entry.subresources ?? [])]) {
      for (const name of [kind, `${kind}List`]) {
        const schema = schemaOfKind({ group, version, kind: name });
        if (schema) roots.add(schema);
      }
    }
  }
  return { paths, schemas: componentSchemas(roots) };
}
