import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandError } from '../../errors.ts';
import { changeConfig } from '../../kubeconfig/change-config.ts';
import type { ConfigPlace } from '../../kubeconfig/config-state.ts';
import type { Fields } from '../../kubeconfig/document.ts';
import { withFields, withRelativePaths } from '../../kubeconfig/entry-fields.ts';
import { requireFile } from './embedded-file.ts';
import { type ExecFlags, execChanges, type ProviderFlags, providerChanges } from './plugins.ts';

/** Flags of `wherry config set-credentials`. */
export interface SetCredentialsFlags extends ConfigPlace, ExecFlags, ProviderFlags {
  clientCertificate?: string;
  clientKey?: string;
  embedCerts?: boolean;
  token?: string;
  username?: string;
  password?: string;
}

/** Makes a user, or changes what the flags say of one that is there. */
export function setCredentials(name: string, flags: SetCredentialsFlags): void {
  if (name === '') throw new CommandError('you must specify a non-empty user name');
  checkFlags(flags);
  // Once: a file may be a pipe, as of <(…).
  const files = {
    ...fileChanges('client-certificate', flags.clientCertificate, flags),
    ...fileChanges('client-key', flags.clientKey, flags),
  };
  const said = changeConfig(flags, ({ users, defaultFile }) => {
    const there = users.get(name);
    const before = there?.fields ?? {};
    const changes = {
      ...files,
      ...secretChanges(flags),
      ...providerChanges(before, flags),
      ...execChanges(before, flags),
    };
    const fields = withRelativePaths(withFields('users', before, changes), there?.file ?? defaultFile);
    return { changes: [{ list: 'users', name, fields }], says: `User ${JSON.stringify(name)} set.` };
  });
  console.log(said);
}

function checkFlags(flags: SetCredentialsFlags): void {
  const { token, username, password, embedCerts, clientCertificate, clientKey } = flags;
  if (token && (username || password))
    throw new CommandError(
      'you cannot specify more than one authentication method at the same time: --token, --username/--password',
    );
  if (!embedCerts) return;
  if (!clientCertificate && !clientKey)
    throw new CommandError('you must specify a --client-certificate or --client-key to embed');
  requireFile('client-certificate', clientCertificate);
  requireFile('client-key', clientKey);
}

/** A file by its path, or with `--embed-certs` what it holds; one takes the place of the other. */
function fileChanges(name: string, path: string | undefined, { embedCerts }: SetCredentialsFlags): Fields {
  if (path === undefined) return {};
  if (path === '') return { [name]: '' };
  const data = embedCerts ? readFileSync(path, 'base64') : '';
  return { [name]: embedCerts ? '' : resolve(path), [`${name}-data`]: data };
}

/** A token takes the place of a user name and a password, and the other way round. */
function secretChanges({ token, username, password }: SetCredentialsFlags): Fields {
  const given = Object.entries({ token, username, password }).filter(([, value]) => value !== undefined);
  return {
    ...(token ? { username: '', password: '' } : {}),
    ...(username || password ? { token: '' } : {}),
    ...Object.fromEntries(given),
  };
}
