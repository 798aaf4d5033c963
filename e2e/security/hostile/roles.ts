import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestNode } from '../../node.ts';

/** Who sends the requests. */
export type RoleName = 'anonymous' | 'podToken' | 'node' | 'namespaceOwner';

/** One of them, with what it proves itself by. */
export interface Role {
  name: RoleName;
  headers: Record<string, string>;
  cert?: Buffer;
  key?: Buffer;
}

/** The namespace that the owner may do everything in that the cluster role `admin` allows. */
export const ownNamespace = 'owned';

/** A namespace that no role has a right in, with a secret whose value nobody may see. */
export const victimNamespace = 'victim';

/** What must never come out. */
export const secretText = 'the-secret-that-nobody-may-see';

/** Makes the namespaces, the secret, the accounts and the binding; answers the roles. */
export async function makeRoles(node: TestNode): Promise<Role[]> {
  for (const name of [ownNamespace, victimNamespace]) await node.kubectlOk(['create', 'namespace', name]);
  const literal = `--from-literal=value=${secretText}`;
  await node.kubectlOk(['-n', victimNamespace, 'create', 'secret', 'generic', 'hidden', literal]);
  await node.kubectlOk(['create', 'serviceaccount', 'pod']);
  await node.kubectlOk(['create', 'serviceaccount', 'owner']);
  const binding = ['create', 'rolebinding', 'owner', '--clusterrole=admin', '--serviceaccount=default:owner'];
  await node.kubectlOk(['-n', ownNamespace, ...binding]);
  const bearer = async (account: string) => ({
    authorization: `Bearer ${await node.createToken(account, 3600)}`,
  });
  const file = (name: string) => readFileSync(join(node.dataDir, 'pki', name));
  return [
    { name: 'anonymous', headers: {} },
    { name: 'podToken', headers: await bearer('pod') },
    { name: 'node', headers: {}, cert: file('kubelet-client.crt'), key: file('kubelet-client.key') },
    { name: 'namespaceOwner', headers: await bearer('owner') },
  ];
}
