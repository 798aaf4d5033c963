/** The OpenAPI v2 document of everything that is served, which kubectl before 1.27 explains and validates by. */
import { createHash } from 'node:crypto';
import { swaggerComponent } from '../custom/components.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { ResourceFacts } from '../schema/resources.ts';
import { documentParts, type FindComponents } from './documents.ts';
import { encodeSwagger } from './gnostic.ts';
import { swaggerPaths } from './swagger-paths.ts';
import { swaggerSchemas } from './swagger-schemas.ts';

/** How the document is written: `protobuf` is gnostic's `openapi.v2.Document`. */
export type SwaggerForm = 'json' | 'protobuf';

/** What a version 2 document tells of. */
export interface SwaggerOptions {
  served: readonly ResourceFacts[];
  /** Of custom resources. Default: there are none. */
  custom?: FindComponents;
  /** Release of the server, in the document's head. */
  version: string;
}

/** Makes the version 2 document anew (tens of milliseconds; up to 0.8 MB of JSON text): the caller keeps what it needs. */
export function swaggerDocument({ served, custom, version }: SwaggerOptions): JsonObject {
  const { paths, schemas, customSchemas } = documentParts(served, custom);
  const custom2 = Object.entries(customSchemas).map(([name, schema]) => [
    name,
    swaggerComponent(schema as JsonObject),
  ]);
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version },
    paths: swaggerPaths(paths),
    definitions: swaggerSchemas({ ...schemas, ...Object.fromEntries(custom2) }),
  };
}

/** The document in one of its forms. The hash is that of the JSON text for both, as upstream has it. */
export function renderSwagger(options: SwaggerOptions, form: SwaggerForm): { body: Buffer; hash: string } {
  const document = swaggerDocument(options);
  const text = Buffer.from(JSON.stringify(document));
  const hash = createHash('sha512').update(text).digest('hex').toUpperCase();
  return { body: form === 'json' ? text : Buffer.from(encodeSwagger(document)), hash };
}
