import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandError } from '../../errors.ts';
import { changeConfig } from '../../kubeconfig/change-config.ts';
import type { ConfigPlace } from '../../kubeconfig/config-state.ts';
import type { Fields } from '../../kubeconfig/document.ts';
import { withFields, withRelativePaths } from '../../kubeconfig/entry-fields.ts';
import { requireFile } from './embedded-file.ts';

/** Flags of `wherry config set-cluster`. */
export interface SetClusterFlags extends ConfigPlace {
  server?: string;
  tlsServerName?: string;
  insecureSkipTlsVerify?: boolean;
  certificateAuthority?: string;
  embedCerts?: boolean;
  proxyUrl?: string;
}

/** Makes a cluster, or changes what the flags say of one that is there. */
export function setCluster(name: string, flags: SetClusterFlags): void {
  if (name === '') throw new CommandError('you must specify a non-empty cluster name');
  const { insecureSkipTlsVerify, certificateAuthority, embedCerts } = flags;
  if (insecureSkipTlsVerify && certificateAuthority)
    throw new CommandError('you cannot specify a certificate authority and insecure mode at the same time');
  if (embedCerts && !certificateAuthority)
    throw new CommandError('you must specify a --certificate-authority to embed');
  if (embedCerts) requireFile('certificate-authority', certificateAuthority);
  const changes = clusterChanges(flags);
  const said = changeConfig(flags, ({ clusters, defaultFile }) => {
    const there = clusters.get(name);
    const fields = withFields('clusters', there?.fields ?? {}, changes);
    return {
      changes: [{ list: 'clusters', name, fields: withRelativePaths(fields, there?.file ?? defaultFile) }],
      says: `Cluster ${JSON.stringify(name)} set.`,
    };
  });
  console.log(said);
}

/** What the flags make of the fields. A server takes the name that its certificate had along, and a way to trust takes the others'. */
function clusterChanges(flags: SetClusterFlags): Fields {
  const { server, tlsServerName, insecureSkipTlsVerify: insecure, proxyUrl } = flags;
  return {
    ...(server === undefined ? {} : { server, 'tls-server-name': '' }),
    ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName }),
    ...(insecure === undefined ? {} : { 'insecure-skip-tls-verify': insecure }),
    ...(insecure ? { 'certificate-authority': '', 'certificate-authority-data': '' } : {}),
    ...authorityChanges(flags),
    ...(proxyUrl === undefined ? {} : { 'proxy-url': proxyUrl }),
  };
}

function authorityChanges({ certificateAuthority: path, embedCerts }: SetClusterFlags): Fields {
  if (path === undefined) return {};
  if (path === '') return { 'certificate-authority': '' };
  const data = embedCerts ? readFileSync(path, 'base64') : '';
  return {
    'insecure-skip-tls-verify': false,
    'certificate-authority': embedCerts ? '' : resolve(path),
    'certificate-authority-data': data,
  };
}
