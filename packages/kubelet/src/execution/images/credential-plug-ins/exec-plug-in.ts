import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { shownJson } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { signalById } from '@wherry/linux';
import { parseDuration } from '../../../configuration/duration.ts';
import { isMap } from '../../../configuration/field-types.ts';
import { credentialPlugInBytesMax, credentialPlugInMs, plugInWordsMax } from '../../../limits.ts';

/** A program that is run. */
export interface ExecPlugIn {
  path: string;
  args: readonly string[];
  env: readonly { name: string; value: string }[];
  /** Version of the protocol that it speaks. */
  apiVersion: string;
}

/** What it is asked, on its standard input. */
export interface CredentialRequest {
  /** Without tag and digest. */
  image: string;
  serviceAccountToken?: string;
  serviceAccountAnnotations?: Readonly<Record<string, string>>;
}

/** What it says, on its standard output. */
export interface CredentialResponse {
  /** What the logins are for: this image, its registry, or all that the plug-in is asked about. */
  cacheKeyType: 'Image' | 'Registry' | 'Global';
  /** How long they may be used again, in milliseconds; undefined leaves it to the configuration. */
  cacheMs: number | undefined;
  logins: Readonly<Record<string, { username: string; password: string }>>;
}

/** Runs a plug-in once, for at most a minute. Throws when it fails; what it printed to its output is in no error: it is secret. */
export async function runPlugIn(
  plugIn: ExecPlugIn,
  request: CredentialRequest,
  clock: Clock,
): Promise<CredentialResponse> {
  const { apiVersion } = plugIn;
  const text = JSON.stringify({ kind: 'CredentialProviderRequest', apiVersion, ...request });
  return decode(await outputOf(plugIn, text, clock), apiVersion);
}

function outputOf({ path, args, env }: ExecPlugIn, input: string, clock: Clock): Promise<string> {
  const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  return new Promise((resolve, reject) => {
    // In a group of its own, so that what it has started ends with it.
    const child = spawn(path, args, { env: { ...process.env, ...own }, detached: true });
    let problem: string | undefined;
    const end = (why: string) => {
      problem ??= why;
      killGroup(child);
      // What has left the group may hold them open for ever.
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
    };
    const timer = clock.after(credentialPlugInMs, () => end(`did not end within ${credentialPlugInMs} ms`));
    const output = collect(child.stdout, () => end(`printed more than ${credentialPlugInBytesMax} bytes`));
    const said = collect(child.stderr, () =>
      end(`complained in more than ${credentialPlugInBytesMax} bytes`),
    );
    // One that does not read its input says what it says.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.once('error', (error) => {
      timer.cancel();
      reject(new Error(`credential plug-in ${path} can not be run: ${error.message}`, { cause: error }));
    });
    child.once('close', (exitCode, killedBy) => {
      timer.cancel();
      const how = problem ?? (exitCode === 0 ? undefined : `ended with ${exitCode ?? killedBy}`);
      if (how === undefined) resolve(output());
      else reject(new Error(`credential plug-in ${path} ${how}: ${said().trim().slice(-plugInWordsMax)}`));
    });
  });
}

/** Keeps what a stream brings, up to a bound. */
function collect(stream: NodeJS.ReadableStream, onTooMuch: () => void): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= credentialPlugInBytesMax) chunks.push(chunk);
    else onTooMuch();
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function killGroup({ pid }: ChildProcessWithoutNullStreams): void {
  if (pid !== undefined) signalById(-pid, constants.signals.SIGKILL);
}

function decode(text: string, apiVersion: string): CredentialResponse {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    // Its message would quote what was printed.
    throw new Error('what the credential plug-in printed is no JSON');
  }
  if (!isMap(document) || document['kind'] !== 'CredentialProviderResponse')
    throw new Error('what the credential plug-in printed is no CredentialProviderResponse');
  if (document['apiVersion'] !== apiVersion)
    throw new Error(
      `apiVersion from credential plugin response did not match expected apiVersion:${apiVersion}, actual apiVersion:${shownJson(document['apiVersion'])}`,
    );
  const { cacheKeyType, cacheDuration, auth } = document;
  if (cacheKeyType !== 'Image' && cacheKeyType !== 'Registry' && cacheKeyType !== 'Global')
    throw new Error('credential provider plugin did not return a valid cacheKeyType');
  return { cacheKeyType, cacheMs: cacheMsOf(cacheDuration), logins: loginsOf(auth ?? {}) };
}

function cacheMsOf(duration: unknown): number | undefined {
  if (duration === undefined || duration === null) return undefined;
  const cacheMs = typeof duration === 'string' ? parseDuration(duration) : undefined;
  if (cacheMs === undefined) throw new Error('the cacheDuration of the credential plug-in is no duration');
  return cacheMs;
}

function loginsOf(auth: unknown): CredentialResponse['logins'] {
  if (!isMap(auth)) throw new Error('auth of the credential plug-in is no object');
  const logins = Object.entries(auth).map(([registry, login]) => {
    const { username = '', password = '' } = isMap(login) ? login : {};
    if (!isMap(login) || typeof username !== 'string' || typeof password !== 'string')
      throw new Error('a login of the credential plug-in has no username and password');
    return [registry, { username, password }] as const;
  });
  return Object.fromEntries(logins);
}
