import { TestCluster } from './cluster.ts';
import { type Flags, readFlags } from './flags.ts';
import { host } from './host/connection.ts';
import type { Manifest } from './objects/manifests.ts';

/** Options of {@link startApiServer}. */
export interface ApiServerOptions {
  /** Applied before it is handed out, in this order. */
  manifests?: readonly Manifest[] | undefined;
  /**
   * Which controllers run beside it: `true` = namespaces, service accounts, garbage collection and the others of
   * kube-controller-manager; `false` = none, as with envtest; or a list in the words of its flag `--controllers`
   * (`*`, `NAME`, `-NAME`; `kube-scheduler` too). Default true.
   */
  controllers?: boolean | readonly string[] | undefined;
  /** Which groups and resources to serve beyond, or short of, the usual: `{ 'apps/v1': false }`. Unknown names are refused. */
  runtimeConfig?: Readonly<Record<string, boolean>> | undefined;
  /**
   * Flags of kube-apiserver, by their names without dashes: `{ 'event-ttl': '10s', 'authorization-config': path }`. Paths are absolute.
   * What the server does not know, and what is decided here (addresses, certificates), is refused by name.
   */
  apiserverFlags?: Flags | undefined;
  /** Gives the start up, and leaves nothing. */
  signal?: AbortSignal | undefined;
}

const allControllers = ['*', '-kube-scheduler'];

/**
 * Starts an API server with certificates, users and objects of its own on a free port of 127.0.0.1; several run side by
 * side. Needs no root, no containers and no download. Objects are kept as in a cluster, and nothing runs pods. Throws
 * `TestingError`.
 */
export async function startApiServer(options: ApiServerOptions = {}): Promise<TestCluster> {
  const { manifests = [], controllers = true, runtimeConfig, signal } = options;
  const apiserverFlags = readFlags(options.apiserverFlags);
  const wanted = controllers === true ? allControllers : controllers === false ? [] : controllers;
  const connection = await host();
  const started = await connection.start(
    'startApiServer',
    { controllers: wanted, runtimeConfig, apiserverFlags },
    signal,
  );
  const server = new TestCluster(connection, started);
  try {
    for (const manifest of manifests) await server.apply(manifest, { signal });
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}
