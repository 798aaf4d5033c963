import { versionInfo } from './version.ts';

const title = 'Kubernetes';
const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** Field tags of gnostic's openapi_v2.Document and Info, all of them length-delimited. */
const tags = { swagger: 1, info: 2, paths: 8, infoTitle: 1, infoVersion: 2 } as const;

/** One length-delimited protobuf field; what is written here is shorter than 128 bytes. */
function field(tag: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from([(tag << 3) | 2, bytes.length]), bytes]);
}

/**
 * `/openapi/v2` as it is needed today: kubectl asks for it, as protobuf, when a manifest is a `List`, and leaves kinds
 * that it finds no definition of to the server, which validates every object strictly. Definitions are served at
 * `/openapi/v3` alone.
 */
export function openApiV2({ accept = '' }: { accept?: string | undefined }): { body: Buffer; type: string } {
  const version = versionInfo.gitVersion;
  if (!/proto-openapi\.spec\.v2[.@]v1\.0\+protobuf/.test(accept)) {
    const document = { swagger: '2.0', info: { title, version }, paths: {} };
    return { body: Buffer.from(JSON.stringify(document)), type: 'application/json' };
  }
  const info = Buffer.concat([field(tags.infoTitle, title), field(tags.infoVersion, version)]);
  const parts = [field(tags.swagger, '2.0'), field(tags.info, info), field(tags.paths, '')];
  return { body: Buffer.concat(parts), type: protobufType };
}
