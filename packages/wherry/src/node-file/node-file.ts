import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { CniFolders, ProxySettings } from '@wherry/node';
import { defaultDataDir, nodeNameProblem } from '@wherry/node/layout';
import { CommandError } from '../errors.ts';
import { cniFolders } from './cni.ts';
import { type Place, readDocuments } from './place.ts';

/** A node as a file describes it. Paths are those of the file's folder. */
export interface NodeFile {
  dataDir: string;
  name?: string | undefined;
  apiPort?: number | undefined;
  kubeletPort?: number | undefined;
  runtimeConfig?: Record<string, boolean> | undefined;
  registryConfig?: string | undefined;
  /** URLs by registry, asked in this order before the registry itself. */
  mirrors?: Record<string, string[]> | undefined;
  proxy?: ProxySettings | undefined;
  /** Fields of a KubeletConfiguration. */
  kubelet?: Record<string, unknown> | undefined;
  /** Pods are connected by CNI. */
  cni?: CniFolders | undefined;
  /** Images to have: names to pull, or archives to load. */
  images: string[];
  /** Files and folders of objects to apply. */
  manifests: string[];
}

const apiVersion = 'wherry/v1alpha1';
const kind = 'Node';
const portMax = 65_535;

/** What is known under these names elsewhere, and is not here. */
const refused: Record<string, string> = {
  nodes:
    'one API server with several nodes is not there yet; a document for each node (---) starts them side by side',
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
      ...['apiVersion', 'kind', 'name', 'dataDir', 'ports', 'runtimeConfig', 'registryConfig', 'mirrors'],
      ...['proxy', 'kubelet', 'cni', 'images', 'manifests'],
    ],
    refused,
  );
  requireConstant(document, fields, { apiVersion, kind });
  const ports = fields.get('ports')?.fields(['api', 'kubelet']);
  const registryConfig = fields.get('registryConfig')?.text();
  const mirrors = fields.get('mirrors')?.map((place) => place.list().map((entry) => urlOf(entry)));
  if (registryConfig !== undefined && mirrors !== undefined) {
    throw fields
      .get('mirrors')
      ?.wrong('mirrors and registryConfig exclude each other; hosts.toml says mirrors too');
  }
  return {
    dataDir: resolve(folder, fields.get('dataDir')?.text() ?? defaultDataDir),
    name: fields.get('name')?.text(nodeNameProblem),
    apiPort: ports?.get('api')?.whole(portMax),
    kubeletPort: ports?.get('kubelet')?.whole(portMax),
    runtimeConfig: fields.get('runtimeConfig')?.map((place) => place.truth()),
    registryConfig: registryConfig === undefined ? undefined : resolve(folder, registryConfig),
    mirrors,
    cni: cniOf(fields.get('cni'), folder),
    proxy: proxyOf(fields.get('proxy')),
    kubelet: fields.get('kubelet')?.map((place) => place.value),
    images:
      fields
        .get('images')
        ?.list()
        .map((place) => place.text()) ?? [],
    manifests:
      fields
        .get('manifests')
        ?.list()
        .map((place) => resolve(folder, place.text())) ?? [],
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

function proxyOf(place: Place | undefined): ProxySettings | undefined {
  const fields = place?.fields(['http', 'https', 'noProxy']);
  return (
    fields && {
      httpProxy: optionalUrl(fields.get('http')),
      httpsProxy: optionalUrl(fields.get('https')),
      noProxy: fields
        .get('noProxy')
        ?.list()
        .map((entry) => entry.text())
        .join(','),
    }
  );
}

const optionalUrl = (place: Place | undefined) => (place === undefined ? undefined : urlOf(place));

function urlOf(place: Place): string {
  const text = place.text();
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw place.wrong(`"${text}" is no URL that begins with http:// or https://`);
  }
  return text;
}
