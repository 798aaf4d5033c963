import { systemClock } from '@wherry/clock';
import { dockerCredentials, type RegistryAuth } from '@wherry/images';
import { CommandError } from '../../errors.ts';

/**
 * Who pulls or pushes an image: `USER:PASSWORD`, else whom `docker login` left in `$DOCKER_CONFIG/config.json` or
 * `~/.docker/config.json`, in the helper that it names, or in its store, else nobody. Throws `CommandError` for `--creds` that are
 * none, `ImageError` for a file that cannot be read and a helper that fails.
 */
export async function registryAuth(
  image: string,
  { creds, signal }: { creds?: string | undefined; signal: AbortSignal },
): Promise<RegistryAuth | undefined> {
  if (creds === undefined) return dockerCredentials(registryOf(image), { clock: systemClock, signal });
  const [, username, password] = /^([^:]+):(.*)$/s.exec(creds) ?? [];
  if (username === undefined || password === undefined) {
    throw new CommandError('--creds takes USER:PASSWORD');
  }
  return { username, password, auth: '', serverAddress: '', identityToken: '', registryToken: '' };
}

/** The registry in an image's name, as docker has it: what looks like a host, else docker.io. */
function registryOf(image: string): string {
  const [first = '', rest] = image.split('/', 2);
  return rest !== undefined && (/[.:]/.test(first) || first === 'localhost') ? first : 'docker.io';
}
