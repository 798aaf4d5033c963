import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { CniFolders, NodeSettings } from '@wherry/node';
import { defaultDataDir, nodeNameProblem } from '@wherry/node/layout';
import { CommandError } from '../errors.ts';
import { cniFolders } from './cni.ts';
import { givenFlagsOf } from './given-flags.ts';
import { type MemberFile, readMembers } from './members.ts';
import { oidcOf } from './oidc.ts';
import { type Place, readDocuments } from './place.ts';
import { readSharedFields, type SharedFields, sharedFields, textsOf } from './shared-fields.ts';

/** A node as a file describes it. Paths are those of the file's folder. */
export interface NodeFile extends SharedFields {
  dataDir: string;
  name?: string | undefined;
  apiPort?: number | undefined;
  kubeletPort?: number | undefined;
  runtimeConfig?: Record<string, boolean> | undefined;
  /** An identity provider of the cluster's users. */
  oidc?: NodeSettings['oidc'];
  /** Flags of the API server beyond those that the node gives it. */
  apiserverFlags?: NodeSettings['apiserverFlags'];
  /** Flags of the controllers and the scheduler. */
  controllersFlags?: NodeSettings['controllersFlags'];
  /** Services of type LoadBalancer get the machine's address. */
  loadBalancer?: boolean | undefined;
  /** Pods are connected by CNI. */
  cni?: CniFolders | undefined;
  /** Files and folders of objects to apply. */
  manifests: string[];
  /** Further nodes of its cluster. */
  nodes: MemberFile[];
}

const apiVersion = 'wherry/v1alpha1';
const kind = 'Node';
const portMax = 65_535;

/** What is known under these names elsewhere, and is not here. */
const refused: Record<string, string> = {
  metadata: 'the name is a field of its own',
  image: 'images is a list',
};

/** Reads the nodes of a file, one a document. Throws `CommandError` with file and line for what is wrong. */
export function readNodeFile(path: string): NodeFile[] {
  const nodes = readDocuments(readText(path), path).map((place) => decode(place, dirname(resolve(path))));
  const taken = new Set<string>();
  for (const { dataDir } of nodes) {
    if (taken.has(dataDir)) {
      throw new CommandError(`${path}: two nodes live in "${dataDir}"; each needs a dataDir of its own`);
    }
    taken.add(dataDir);
  }
  const sockets = nodes.flatMap((node) => [node, ...node.nodes]).flatMap(({ nriSocket }) => nriSocket ?? []);
  const shared = sockets.find((socket, index) => sockets.indexOf(socket) < index);
  if (shared !== undefined)
    throw new CommandError(`${path}: two nodes have the nriSocket "${shared}"; each needs one of its own`);
  if (nodes.length === 0) throw new CommandError(`${path}: the file holds no node`);
  return nodes;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new CommandError(`the path "${path}" does not exist`, { cause: error });
  }
}

function decode(document: Place, folder: string): NodeFile {
  const fields = document.fields(
    [
      ...['apiVersion', 'kind', 'name', 'dataDir', 'ports', 'runtimeConfig', 'oidc', 'loadBalancer'],
      ...['apiserverFlags', 'controllersFlags'],
      ...[...sharedFields, 'cni', 'manifests', 'nodes'],
    ],
    refused,
  );
  requireConstant(document, fields, { apiVersion, kind });
  const ports = fields.get('ports')?.fields(['api', 'kubelet']);
  const name = fields.get('name')?.text(nodeNameProblem);
  const shared = readSharedFields(fields, folder);
  const cni = cniOf(fields.get('cni'), folder);
  const nodes = readMembers(fields.get('nodes'), { folder, first: { ...shared, name } });
  if (cni && nodes.length > 0) {
    throw fields
      .get('nodes')
      ?.wrong('nodes of one cluster on one machine have the built-in network, not CNI');
  }
  return {
    dataDir: resolve(folder, fields.get('dataDir')?.text() ?? defaultDataDir),
    name,
    apiPort: ports?.get('api')?.whole(portMax),
    kubeletPort: ports?.get('kubelet')?.whole(portMax),
    runtimeConfig: fields.get('runtimeConfig')?.map((place) => place.truth()),
    oidc: oidcOf(fields.get('oidc'), folder),
    apiserverFlags: givenFlagsOf('apiserver', fields.get('apiserverFlags'), folder),
    controllersFlags: givenFlagsOf('controllers', fields.get('controllersFlags'), folder),
    loadBalancer: fields.get('loadBalancer')?.truth(),
    ...shared,
    cni,
    manifests: textsOf(fields.get('manifests')).map((path) => resolve(folder, path)),
    nodes,
  };
}

function requireConstant(document: Place, fields: Map<string, Place>, wanted: Record<string, string>): void {
  for (const [field, constant] of Object.entries(wanted)) {
    const place = fields.get(field);
    if (!place) throw document.wrong(`${field} is not set; it is ${constant}`);
    if (place.text() !== constant) throw place.wrong(`${field} is ${constant}, not "${place.text()}"`);
  }
}

function cniOf(place: Place | undefined, folder: string): CniFolders | undefined {
  const fields = place?.fields(['confDir', 'binDirs']);
  if (!place || !fields) return undefined;
  const confDir = fields.get('confDir')?.text();
  if (confDir === undefined) throw place.wrong('cni: confDir is not set');
  const binDirs = fields
    .get('binDirs')
    ?.list()
    .map((entry) => entry.text());
  return cniFolders(confDir, binDirs, folder);
}
