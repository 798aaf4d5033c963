import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Clock, deadline } from '@wherry/clock';
import { ImageError, messageOf } from '../errors.ts';
import { limits } from '../limits.ts';

/** How helpers are run. */
export interface HelperOptions {
  clock: Clock;
  signal?: AbortSignal | undefined;
  /** Default: this process's. */
  environment?: NodeJS.ProcessEnv | undefined;
}

/** What a helper says of a registry; a user of `<token>` means that the secret is a refresh token. */
const tokenUser = '<token>';
const notFound = 'credentials not found in native keychain';

/**
 * Asks the program `docker-credential-NAME` by docker's protocol: `get`, the registry on its input, JSON on its output.
 * Undefined when it knows none. Throws `ImageError` for a name that is none, a program that fails, says too much, or takes
 * too long.
 */
export async function askHelper(
  name: string,
  registry: string,
  { clock, signal, environment = process.env }: HelperOptions,
): Promise<Record<string, string> | undefined> {
  if (!/^[\w.-]+$/.test(name))
    throw new ImageError('INVALID_ARGUMENT', `"${name}" is no name of a credential helper`);
  const program = `docker-credential-${name}`;
  using limit = deadline({ clock, timeoutMs: limits.credentialHelperMs, what: program, signal });
  const child = spawn(program, ['get'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: environment,
    signal: limit.signal,
    killSignal: 'SIGKILL',
  });
  const ended = once(child, 'close') as Promise<[code: number | null]>;
  ended.catch(() => {});
  child.stdin.on('error', () => {});
  child.stdin.end(registry);
  try {
    const output = await readOutput(child.stdout, program);
    const [code] = await ended;
    if (code !== 0) {
      if (output.trim() === notFound) return undefined;
      throw new ImageError(
        'UNAUTHENTICATED',
        `${program} fails with code ${code}: ${output.trim().slice(0, 300)}`,
      );
    }
    return credentialsOf(output, program);
  } catch (error) {
    child.kill('SIGKILL');
    signal?.throwIfAborted();
    if (error instanceof ImageError) throw error;
    const why = limit.signal.aborted ? messageOf(limit.signal.reason) : messageOf(error);
    throw new ImageError('UNAUTHENTICATED', `${program} cannot be asked: ${why}`, { cause: error });
  }
}

async function readOutput(stdout: AsyncIterable<unknown>, program: string): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdout) {
    length += (chunk as Buffer).length;
    if (length > limits.credentialHelperBytesMax)
      throw new ImageError(
        'UNAUTHENTICATED',
        `${program} prints more than ${limits.credentialHelperBytesMax} bytes`,
      );
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function credentialsOf(output: string, program: string): Record<string, string> {
  try {
    const { Username: username, Secret: secret } = JSON.parse(output) as Record<string, unknown>;
    if (typeof username === 'string' && typeof secret === 'string')
      return username === tokenUser ? { identitytoken: secret } : { username, password: secret };
  } catch {
    // Told below, without what was printed: it may be a secret.
  }
  throw new ImageError('UNAUTHENTICATED', `${program} prints no credentials`);
}
