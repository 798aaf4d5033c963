import type { ServerResponse } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  notAcceptable,
  parseMediaClause,
  renderSwagger,
  type SwaggerForm,
  type SwaggerOptions,
} from '@wherry/kubeapi';
import { type ContentHeaders, sendContent, takesGzip } from '../http/content.ts';

/** How kubectl asks for protobuf, and how the answer calls it: Go can't parse a media type with an @. */
const protobufAsked = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

const forms: ReadonlyMap<string, SwaggerForm> = new Map([
  ['application/json', 'json'],
  ['application/*', 'json'],
  ['*/*', 'json'],
  [protobufAsked, 'protobuf'],
  [protobufType, 'protobuf'],
]);
const types: Record<SwaggerForm, string> = { json: 'application/json', protobuf: protobufType };

/**
 * Serves `/openapi/v2`. The document is large and rarely asked for (kubectl before 1.27; newer ones for kinds that no
 * path takes), so it is made when first wanted, and only the form that was wanted last is kept, compressed.
 */
export class OpenApiV2 {
  readonly #options: SwaggerOptions;
  #kept: { form: SwaggerForm; hash: string; compressed: Buffer } | undefined;

  constructor(options: SwaggerOptions) {
    this.#options = options;
  }

  /** Throws 406 when the client takes neither JSON nor gnostic's protobuf. */
  serve(headers: ContentHeaders, response: ServerResponse): void {
    const form = formOf(headers.accept || '*/*');
    const compressed = takesGzip(headers);
    sendContent(headers, response, {
      type: types[form],
      hash: (this.#kept ?? this.#render(form)).hash,
      body: () => {
        const body = this.#render(form).compressed;
        return compressed ? body : gunzipSync(body);
      },
      encoding: compressed ? 'gzip' : undefined,
    });
  }

  #render(form: SwaggerForm) {
    if (this.#kept?.form === form) return this.#kept;
    const { body, hash } = renderSwagger(this.#options, form);
    this.#kept = { form, hash, compressed: gzipSync(body) };
    return this.#kept;
  }
}

function formOf(accept: string): SwaggerForm {
  for (const text of accept.split(',')) {
    const form = forms.get(parseMediaClause(text).type);
    if (form) return form;
  }
  throw notAcceptable(['application/json', protobufAsked]);
}
