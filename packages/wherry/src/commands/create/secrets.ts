import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { goJson, type Secret } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { type HashFlags, withHash } from './append-hash.ts';
import { type KeySourceFlags, readKeys } from './key-sources.ts';

interface SecretKind extends HashFlags {
  type?: string | undefined;
}

/** A Secret; without a type it is `Opaque`. */
function secretOf(name: string, data: ReadonlyMap<string, Buffer>, { type, appendHash }: SecretKind): Secret {
  const texts = [...data].map(([key, value]) => [key, value.toString('base64')]);
  const secret = {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name } },
    ...(type ? { type } : {}),
    ...(texts.length > 0 ? { data: Object.fromEntries(texts) } : {}),
  };
  return withHash(secret, { appendHash });
}

/** Flags of `wherry create secret generic`. */
export type GenericFlags = KeySourceFlags & SecretKind;

/** A Secret of files and literals. */
export const secretObject = (name: string, flags: GenericFlags): Secret =>
  secretOf(name, readKeys(flags, { kind: 'Secret', name }), flags);

/** Flags of `wherry create secret tls`: files, PEM. */
export interface TlsFlags extends HashFlags {
  cert?: string;
  key?: string;
}

/** A Secret of a certificate and its key. Throws `CommandError` where they do not belong together. */
export function tlsObject(name: string, { cert = '', key = '', appendHash }: TlsFlags): Secret {
  if (cert === '' || key === '') throw new CommandError('key and cert must be specified');
  const [certPem, keyPem] = [readPem(cert), readPem(key)];
  requirePair(certPem.toString('latin1'), keyPem.toString('latin1'));
  const data = new Map([
    ['tls.crt', certPem],
    ['tls.key', keyPem],
  ]);
  return secretOf(name, data, { type: 'kubernetes.io/tls', appendHash });
}

function readPem(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isAbsent ? `open ${path}: no such file or directory` : (error as Error).message;
    throw new CommandError(`Cannot read file ${path}, ${why}`, { cause: error });
  }
}

/** As Go reads them: the first certificate and the first key, whatever else is in the files. */
function requirePair(certPem: string, keyPem: string): void {
  const first = (pem: string, kind: string) =>
    new RegExp(`-----BEGIN (${kind})-----[^-]*-----END \\1-----`).exec(pem)?.[0];
  const certificate = first(certPem, 'CERTIFICATE');
  const key = first(keyPem, '(?:[A-Z]+ )?PRIVATE KEY');
  if (certificate === undefined)
    throw new CommandError('tls: failed to find any PEM data in certificate input');
  if (key === undefined) throw new CommandError('tls: failed to find any PEM data in key input');
  const read = reading(() => new X509Certificate(certificate), 'certificate');
  const pair: KeyObject = reading(() => createPrivateKey(key), 'private key');
  if (!read.checkPrivateKey(pair)) throw new CommandError('tls: private key does not match public key');
}

function reading<T>(read: () => T, what: string): T {
  try {
    return read();
  } catch (error) {
    throw new CommandError(`tls: failed to parse ${what}: ${(error as Error).message}`, { cause: error });
  }
}

/** Flags of `wherry create secret docker-registry`. */
export interface DockerFlags extends HashFlags {
  dockerUsername?: string;
  dockerPassword?: string;
  dockerEmail?: string;
  dockerServer: string;
  fromFile?: string[];
}

const dockerKey = '.dockerconfigjson';

/** A Secret by which images are pulled. */
export function dockerObject(name: string, flags: DockerFlags): Secret {
  const { dockerUsername: username, dockerPassword: password, dockerEmail: email, dockerServer } = flags;
  const kind = { type: 'kubernetes.io/dockerconfigjson', appendHash: flags.appendHash };
  if (flags.fromFile) {
    const fromFile = flags.fromFile.map((path) => (path.includes('=') ? path : `${dockerKey}=${path}`));
    return secretOf(name, readKeys({ fromFile }, { kind: 'Secret', name }), kind);
  }
  if (!username || !password || !dockerServer) {
    throw new CommandError(
      'either --from-file or the combination of --docker-username, --docker-password and --docker-server is required',
    );
  }
  const auth = Buffer.from(`${username}:${password}`).toString('base64');
  const entry = { username, password, ...(email ? { email } : {}), auth };
  const content = goJson({ auths: Object.fromEntries([[dockerServer, entry]]) });
  return secretOf(name, new Map([[dockerKey, Buffer.from(content)]]), kind);
}
