/**
 * What the rules of folders let through today. Each entry says how much of it there is; the check fails when there is
 * more, and when there is less, so that the tables only shrink.
 */
export interface Exceptions {
  /** Folder → how many of its entries lie on circles of imports. */
  circles: Readonly<Record<string, number>>;
  /** Folder above `filesMax` → how many source files it has, and why it stays one folder. */
  largeFolders: Readonly<Record<string, readonly [files: number, reason: string]>>;
  /** File of a core that imports `node:…` → what for. */
  nodeFiles: Readonly<Record<string, string>>;
}

/** Source files that a folder may have, without tests and generated ones. */
export const filesMax = 15;

/**
 * What works without Node's modules: protocol cores, the schema, and the part of the client that says what to ask. It
 * could run wherever there is JavaScript.
 */
export const cores: readonly string[] = [
  'packages/bytes/src',
  'packages/clock/src',
  'packages/telemetry/src',
  'packages/spdy/src',
  'packages/cri/src',
  'packages/kubeapi/src',
  'packages/podrules/src',
  'packages/kustomize/src',
  'packages/remotecommand/src',
  'packages/portforward/src',
  'packages/client/src/controllers',
  'packages/client/src/http',
  'packages/client/src/objects',
  'packages/client/src/resources',
  'packages/client/src/watch',
  'packages/client/src/sessions',
  'packages/client/src/core',
];

/** What knows no time but the one it is handed: the protocols and the schema of floor 2. */
export const timelessCores: readonly string[] = [
  'packages/spdy/src',
  'packages/cri/src',
  'packages/kubeapi/src',
];

/** What is let through today. */
export const exceptions: Exceptions = {
  circles: {},
  largeFolders: {},
  nodeFiles: {
    'packages/bytes/src/channel-suite.ts': 'a test suite for other packages',
    'packages/bytes/src/node/adapters.ts': "the adapter of Node's streams",
    'packages/bytes/src/node/ends.ts': "the adapter of Node's streams",
    'packages/bytes/src/node/loopback.ts': 'what an IP address is',
    'packages/bytes/src/node/judged-connections.ts': "the listening side of Node's sockets",
    'packages/bytes/src/node/server.ts': "the listening side of Node's sockets",
    'packages/bytes/src/node/to-duplex.ts': "the adapter of Node's streams",
    'packages/telemetry/src/tracing/otlp-tracer.ts':
      'which span asynchronous work belongs to; loaded by those who trace',
    'packages/cri/src/grpc/server.ts': 'the unix socket that a CRI server listens on',
    'packages/kubeapi/src/values/address-class.ts': 'what an IP address is',
    'packages/kustomize/src/files/machine-files.ts': 'the files of this machine',
    'packages/kustomize/src/names/hash.ts': 'hashes of what is generated',
    'packages/kubeapi/src/openapi/documents.ts': 'hashes of documents, for ETags',
    'packages/kubeapi/src/openapi/swagger.ts': 'hashes of documents, for ETags',
    'packages/kubeapi/src/values/ip-address.ts': 'what an IP address is',
  },
};
