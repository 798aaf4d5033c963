import { keyOf, kinds } from '@wherry/client';
import { hasReason, type Secret, type ServiceAccount } from '@wherry/kubeapi/objects';
import { isLateWrite } from '../machinery/late-write.ts';
import { defineController } from '../machinery/run-controller.ts';
import { legacyToken } from './legacy-token.ts';

const nameKey = 'kubernetes.io/service-account.name';
const uidKey = 'kubernetes.io/service-account.uid';
const watches = {
  accounts: { type: kinds.serviceAccounts },
  secrets: { type: kinds.secrets, fieldSelector: 'type=kubernetes.io/service-account-token' },
};

/**
 * Puts a token into each secret that asks for one of a service account, and deletes it with its account; an account loses its
 * reference to a token that is deleted.
 */
export const tokenController = defineController({
  name: 'serviceaccount-token-controller',
  account: null,
  watches,
  writes: ['secrets', 'serviceaccounts'],
  build: ({ cluster, informers }) => {
    const { client, rootCaPem, tokenSigningKeyFile } = cluster;
    const find = async (secret: Secret, signal: AbortSignal) => {
      const { namespace, annotations = {} } = secret.metadata;
      const known = informers.accounts.objects.get(`${namespace}/${annotations[nameKey]}`);
      const account = known ?? (await askForAccount(annotations[nameKey] ?? '', namespace, signal));
      return isAccountOf(secret, account) ? account : undefined;
    };
    const askForAccount = async (name: string, namespace: string | undefined, signal: AbortSignal) => {
      try {
        return await client.resource(kinds.serviceAccounts).get({ name, namespace, signal });
      } catch (error) {
        if (!hasReason(error, 'NotFound')) throw error;
        return undefined;
      }
    };
    /** Of which account each secret was that is gone, by its key. */
    const gone = new Map<string, { name: string; uid: string | undefined }>();
    const dropReference = async (key: string, signal: AbortSignal) => {
      const { name = '', uid } = gone.get(key) ?? {};
      if (!name) return;
      const [namespace = '', secretName] = key.split('/');
      const account = await askForAccount(name, namespace, signal);
      const isSame = account && (!uid || uid === account.metadata.uid);
      const secrets = account?.secrets?.filter((each) => each.name !== secretName) ?? [];
      if (isSame && secrets.length !== (account.secrets?.length ?? 0))
        await client.resource(kinds.serviceAccounts).update({ ...account, secrets }, { signal });
      gone.delete(key);
    };
    return {
      keysOf: {
        secrets: (secret, change) => {
          const { [nameKey]: name = '', [uidKey]: uid } = secret.metadata.annotations ?? {};
          if (change === 'deleted') gone.set(keyOf(secret), { name, uid });
          return [keyOf(secret)];
        },
        accounts: ({ metadata }, change) => {
          if (change === 'updated') return [];
          const theirs = [...informers.secrets.objects.values()].filter(
            (secret) =>
              secret.metadata.namespace === metadata.namespace &&
              secret.metadata.annotations?.[nameKey] === metadata.name,
          );
          return theirs.map(keyOf);
        },
      },
      async reconcile(key, signal) {
        const secret = informers.secrets.objects.get(key);
        if (!secret) return dropReference(key, signal);
        gone.delete(key);
        const account = await find(secret, signal);
        const { name = '', namespace, uid = '' } = secret.metadata;
        const resource = client.resource(kinds.secrets);
        try {
          if (!account) return await resource.delete({ name, namespace }, { preconditions: { uid }, signal });
          const filled = await fill(secret, account, { rootCaPem, tokenSigningKeyFile });
          if (filled) await resource.update(filled, { signal });
        } catch (error) {
          // What changed meanwhile comes again.
          if (!isLateWrite(error)) throw error;
        }
      },
    };
  },
});

/** A secret that names no uid yet belongs to whichever account has the name. */
function isAccountOf({ metadata }: Secret, account: ServiceAccount | undefined): boolean {
  const uid = metadata.annotations?.[uidKey];
  return account !== undefined && (!uid || uid === account.metadata.uid);
}

/** The secret with all that belongs into it; undefined when it is all there, or no token can be made here. */
async function fill(
  secret: Secret,
  account: ServiceAccount,
  { rootCaPem, tokenSigningKeyFile }: { rootCaPem: string; tokenSigningKeyFile: string | undefined },
): Promise<Secret | undefined> {
  const { data = {}, metadata } = secret;
  const encode = (text: string) => Buffer.from(text).toString('base64');
  const ca = encode(rootCaPem);
  if (!tokenSigningKeyFile || (data['ca.crt'] === ca && data['namespace'] && data['token'])) return undefined;
  const { name = '', namespace = '', uid = '' } = account.metadata;
  const claims = { namespace, name, uid, secretName: metadata.name ?? '' };
  const token = data['token'] || encode(await legacyToken(claims, tokenSigningKeyFile));
  return {
    ...secret,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [nameKey]: name, [uidKey]: uid } },
    data: { ...data, 'ca.crt': ca, namespace: data['namespace'] || encode(namespace), token },
  };
}
