/**
 * What a test process and its host say to each other: one JSON document a line, requests on the host's stdin, answers on
 * its stdout. The end of stdin ends the host and everything in it.
 */

import type { TestingErrorCode } from '../errors.ts';

/** What a node is started with. */
export interface NodeParameters {
  name?: string | undefined;
  /** How many its cluster has. */
  nodes: number;
  runtimeConfig?: Readonly<Record<string, boolean>> | undefined;
  apiserverFlags?: Readonly<Record<string, readonly string[]>> | undefined;
  readyTimeoutMs: number;
}

/** What an API server is started with. */
export interface ApiServerParameters {
  controllers: readonly string[];
  runtimeConfig?: Readonly<Record<string, boolean>> | undefined;
  apiserverFlags?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** How an image is made, or where it comes from. All paths are absolute. */
export interface ImageParameters {
  /** An archive, or a folder in OCI layout; with `name` the root file system of a new image, as folder or tar. */
  path: string;
  name?: string | undefined;
  entrypoint?: string[] | undefined;
  cmd?: string[] | undefined;
  env?: string[] | undefined;
  user?: string | undefined;
  workingDir?: string | undefined;
}

/** A cluster that is up. */
export interface Started {
  /** What later calls name it by. */
  cluster: string;
  /** Path of the administrator's kubeconfig. */
  kubeconfig: string;
  /** The names of its nodes, that with the API server first. */
  nodes: string[];
}

/** The calls, with what each takes and gives. */
export interface Calls {
  startNode: [NodeParameters, Started];
  startApiServer: [ApiServerParameters, Started];
  stop: [{ cluster: string }, null];
  load: [{ cluster: string; image: ImageParameters }, { names: string[] }];
  snapshot: [{ cluster: string }, { snapshot: string; objects: number }];
  restore: [{ cluster: string; snapshot: string }, { changed: number }];
  /** Clears what hosts that were killed have left; resolves when nothing is left of them. */
  sweep: [Record<string, never>, null];
}

/** The name of a call. */
export type CallName = keyof Calls;

/** A line to the host: a call, or word that nobody waits for one any more. */
export type Request =
  | { id: number; call: CallName; parameters: Calls[CallName][0] }
  | { id: number; cancel: true };

/** A line from the host. */
export type Answer =
  | { id: number; result: unknown }
  | { id: number; failure: string; code: TestingErrorCode };
