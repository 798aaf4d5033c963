import { kinds } from '@wherry/client';
import { StatusError, type TokenRequest } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { printedObject } from '../../objects/printed-object.ts';
import { printValue } from '../../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../../output/output-format.ts';

/** Flags of `wherry create token`. */
export interface TokenFlags extends KubeFlags {
  audience?: string[];
  /** Milliseconds; 0 for as long as the server says. */
  duration: number;
  boundObjectKind?: string;
  boundObjectName?: string;
  boundObjectUid?: string;
  output?: OutputFormat;
  /** With -o: who manages which field too. */
  showManagedFields?: boolean;
}

const boundKinds = ['Node', 'Pod', 'Secret'];

/** Asks for a token of a service account, and prints it. */
export async function createToken(name: string, flags: TokenFlags): Promise<void> {
  refuse(flags);
  const { audience: audiences = [], duration, boundObjectKind: kind, output, showManagedFields } = flags;
  const bound = { name: flags.boundObjectName, uid: flags.boundObjectUid };
  const client = clientFor(flags);
  const request: TokenRequest = {
    ...{ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {} },
    spec: {
      audiences,
      ...(duration > 0 ? { expirationSeconds: duration / secondMs } : {}),
      ...(kind ? { boundObjectRef: { kind, apiVersion: 'v1', ...bound } } : {}),
    } as TokenRequest['spec'],
  };
  const namespace = flags.namespace ?? client.access.namespace;
  const granted = await client
    .resource(kinds.serviceAccounts)
    .create<TokenRequest>(request, { namespace, name, subresource: 'token' })
    .catch((error: unknown) => {
      if (!(error instanceof StatusError)) throw error;
      throw new CommandError(`failed to create token: ${error.message}`, { cause: error });
    });
  const token = granted.status?.token ?? '';
  if (token === '') throw new CommandError('failed to create token: no token in server response');
  if (isValueFormat(output)) printValue(printedObject(granted, { output, showManagedFields }), output);
  else if (output === 'name')
    console.log(`tokenrequest.authentication.k8s.io/${granted.metadata?.name ?? name}`);
  // A file or a variable is to hold the token alone.
  else process.stdout.write(process.stdout.isTTY ? `${token}\n` : token);
}

const secondMs = 1_000;

function refuse(flags: TokenFlags): void {
  const {
    audience = [],
    duration,
    boundObjectKind: kind,
    boundObjectName: name,
    boundObjectUid: uid,
  } = flags;
  const needsKind = (flag: string) => `${flag} can only be set if --bound-object-kind is provided`;
  const problems: [is: boolean, says: string][] = [
    [duration < 0, '--duration must be greater than or equal to 0'],
    [duration % secondMs !== 0, '--duration cannot be expressed in units less than seconds'],
    [audience.includes(''), '--audience must not be an empty string'],
    [!kind && Boolean(name), needsKind('--bound-object-name')],
    [!kind && Boolean(uid), needsKind('--bound-object-uid')],
    [
      Boolean(kind) && !boundKinds.includes(kind ?? ''),
      `supported --bound-object-kind values are ${boundKinds.join(', ')}`,
    ],
    [Boolean(kind) && !name, '--bound-object-name is required if --bound-object-kind is provided'],
  ];
  const problem = problems.find(([is]) => is);
  if (problem) throw new CommandError(problem[1]);
}
