import { versionInfo } from './version.ts';

/** How kubectl asks for the old document in protobuf (gnostic's openapi_v2.Document). */
export const openApiV2Asked = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

/** How the answer calls it: Go can't parse a media type with an @. */
export const openApiV2Answered = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

const title = 'Kubernetes';

/**
 * The body of `/openapi/v2`: valid, and without definitions, which are in version 3. kubectl falls back to it for
 * kinds that no path takes (`v1 List`), and skips its own validation for what it does not find there; unknown fields
 * are this server's business.
 */
export function openApiV2(isProtobuf: boolean): Buffer {
  const version = versionInfo.gitVersion;
  if (!isProtobuf) {
    return Buffer.from(
      JSON.stringify({ swagger: '2.0', info: { title, version }, paths: {}, definitions: {} }),
    );
  }
  const info = Buffer.concat([field(1, Buffer.from(title)), field(2, Buffer.from(version))]);
  const none = Buffer.alloc(0);
  return Buffer.concat([field(1, Buffer.from('2.0')), field(2, info), field(8, none), field(9, none)]);
}

/** A length-delimited protobuf field; its length fits into one byte here. */
function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
}
