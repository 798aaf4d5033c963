import { ImageError } from '../errors.ts';
import { type Digest, isDigest } from '../layers/digest.ts';
import { limits } from '../limits.ts';
import { parseJson } from './manifest.ts';

/** What an image says about how it wants to be run (OCI image-spec config.md), every field present. */
export interface ImageConfig {
  architecture: string;
  os: string;
  /** RFC 3339, or empty. */
  created: string;
  user: string;
  env: string[];
  entrypoint: string[];
  cmd: string[];
  workingDir: string;
  volumes: string[];
  labels: Record<string, string>;
  stopSignal: string;
  exposedPorts: string[];
  /** Digests of the uncompressed layers, lowest first. */
  diffIds: Digest[];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(text) : []);
const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Reads an image configuration. Throws `ImageError` INVALID_ARGUMENT. */
export function parseImageConfig(bytes: Uint8Array): ImageConfig {
  if (bytes.length > limits.imageConfigBytesMax) {
    throw new ImageError('INVALID_ARGUMENT', `image configuration of ${bytes.length} bytes is too large`);
  }
  const json = parseJson(bytes, 'image configuration');
  const config = object(json['config']);
  const diffIds = texts(object(json['rootfs'])['diff_ids']);
  const bad = diffIds.find((id) => !isDigest(id));
  if (bad !== undefined)
    throw new ImageError('INVALID_ARGUMENT', `image configuration has the diff id "${bad}"`);
  return {
    architecture: text(json['architecture']),
    os: text(json['os']),
    created: text(json['created']),
    user: text(config['User']),
    env: texts(config['Env']),
    entrypoint: texts(config['Entrypoint']),
    cmd: texts(config['Cmd']),
    workingDir: text(config['WorkingDir']),
    volumes: Object.keys(object(config['Volumes'])),
    labels: Object.fromEntries(
      Object.entries(object(config['Labels'])).map(([key, value]) => [key, text(value)]),
    ),
    stopSignal: text(config['StopSignal']),
    exposedPorts: Object.keys(object(config['ExposedPorts'])),
    diffIds: diffIds as Digest[],
  };
}

/** The configuration of a new one-layer image, as bytes; the same input gives the same image id. */
export function encodeImageConfig(
  options: Pick<
    ImageConfig,
    'architecture' | 'user' | 'env' | 'entrypoint' | 'cmd' | 'workingDir' | 'stopSignal'
  > & {
    diffIds: Digest[];
  },
): Buffer {
  const config = {
    ...(options.user !== '' && { User: options.user }),
    Env: options.env,
    ...(options.entrypoint.length > 0 && { Entrypoint: options.entrypoint }),
    ...(options.cmd.length > 0 && { Cmd: options.cmd }),
    ...(options.workingDir !== '' && { WorkingDir: options.workingDir }),
    ...(options.stopSignal !== '' && { StopSignal: options.stopSignal }),
  };
  const rootfs = { type: 'layers', diff_ids: options.diffIds };
  return Buffer.from(JSON.stringify({ architecture: options.architecture, os: 'linux', config, rootfs }));
}
