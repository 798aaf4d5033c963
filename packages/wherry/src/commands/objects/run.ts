import { orAborted } from '@wherry/bytes';
import { type KubeClient, kinds } from '@wherry/client';
import { hasReason, type Pod } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type StreamFlags } from '../../kube/flags.ts';
import { waitForStart } from '../../kube/pod-target.ts';
import { asMade } from '../../objects/manifests/last-applied.ts';
import { resourceOfKind } from '../../objects/of-kind.ts';
import { outcomePrinter } from '../../objects/outcome.ts';
import { type OverrideFlags, overridden } from '../../objects/overrides.ts';
import type { OutputFormat } from '../../output/output-format.ts';
import { defaultDetachKeys } from '../../terminal/detach-keys.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { type ContainerEnd, joinOrTell } from '../kube/join.ts';

/** Flags of `wherry run`. */
export interface RunFlags extends StreamFlags, OverrideFlags {
  image: string;
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  command?: boolean;
  env?: string[];
  labels?: string[];
  port?: number;
  restart: 'Always' | 'OnFailure' | 'Never';
  privileged?: boolean;
  stdin?: boolean;
  tty?: boolean;
  attach?: boolean;
  rm?: boolean;
  quiet?: boolean;
  dryRun?: 'none' | 'client' | 'server';
  saveConfig?: boolean;
  /** Milliseconds. */
  podRunningTimeout: number;
  output?: OutputFormat;
}

/** Creates a pod of one container; with `-i`, `-t` or `--attach` joins it, and with `--rm` deletes it at the end. */
export async function run(firstName: string, words: readonly string[], flags: RunFlags): Promise<void> {
  const { stdin = false, tty = false, rm = false } = flags;
  const joins = flags.attach ?? (stdin || tty);
  if (rm && !joins) throw new CommandError('--rm should only be used for attached containers');
  if (tty && !stdin) throw new CommandError('--stdin is required for containers with -t/--tty=true');
  const pod = overridden(podOf(firstName, words, flags), flags);
  const { name = firstName } = pod.metadata;
  const tell = outcomePrinter(flags);
  const resource = resourceOfKind(pod);
  if (flags.dryRun === 'client') return tell({ resource, object: pod, done: 'created' });
  const client = clientFor(flags);
  const namespace = flags.namespace ?? client.access.namespace;
  const dryRun = flags.dryRun === 'server';
  const created = await client.resource(kinds.pods).create(asMade(pod, flags), { namespace, dryRun });
  if (!joins || dryRun) return tell({ resource, object: created, done: 'created' });
  if (!rm) return join(client, name, namespace, flags);
  try {
    // Who gives up by Ctrl-C wants the pod to go, too.
    await interruptible((signal) => orAborted(join(client, name, namespace, { ...flags, signal }), signal));
  } finally {
    await remove(client, name, namespace, flags);
  }
}

function podOf(name: string, words: readonly string[], flags: RunFlags): Pod {
  const { image, imagePullPolicy, port, restart, stdin, tty, privileged } = flags;
  const env = flags.env?.map((pair) => {
    const [, variable, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (variable === undefined || value === undefined) {
      throw new CommandError(`invalid env: "${pair}" is no NAME=value`);
    }
    return { name: variable, value };
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: labelsOf(flags.labels) ?? { run: name } },
    spec: {
      restartPolicy: restart,
      containers: [
        {
          name,
          image,
          ...(imagePullPolicy === undefined ? {} : { imagePullPolicy }),
          ...(words.length === 0 ? {} : { [flags.command ? 'command' : 'args']: [...words] }),
          ...(env ? { env } : {}),
          ...(port === undefined ? {} : { ports: [{ containerPort: port }] }),
          ...(stdin ? { stdin, stdinOnce: true } : {}),
          ...(tty ? { tty } : {}),
          ...(privileged ? { securityContext: { privileged } } : {}),
        },
      ],
    },
  };
}

function labelsOf(pairs: readonly string[] | undefined): Record<string, string> | undefined {
  return (
    pairs &&
    Object.fromEntries(
      pairs.map((pair) => {
        const [, label, value] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
        if (label === undefined || value === undefined) {
          throw new CommandError(`unexpected label "${pair}": expected NAME=value`);
        }
        return [label, value];
      }),
    )
  );
}

/** Joins the pod's only container. */
function join(
  client: KubeClient,
  name: string,
  namespace: string,
  flags: RunFlags & { signal?: AbortSignal },
): Promise<void> {
  const target = { kind: 'pod', name, namespace } as const;
  const { stdin = false, tty = false, quiet = false } = flags;
  return joinOrTell(client, {
    look: () => waitForStart(client, target, flags.podRunningTimeout),
    endOf,
    statusOf: ({ status }) => status?.containerStatuses?.[0],
    flags: { ...flags, stdin, tty, quiet, detachKeys: defaultDetachKeys },
  });
}

/** How the pod's only container ended for good. Throws `CommandError` when the pod failed without having run it. */
function endOf({ metadata, status }: Pod): ContainerEnd | undefined {
  if (status?.phase !== 'Succeeded' && status?.phase !== 'Failed') return undefined;
  const terminated = status.containerStatuses?.[0]?.state?.terminated;
  if (terminated) return { exitCode: terminated.exitCode, previous: false };
  throw new CommandError(`pod "${metadata.name}" ${status.phase}: ${status.message ?? status.reason ?? ''}`);
}

async function remove(client: KubeClient, name: string, namespace: string, flags: RunFlags): Promise<void> {
  try {
    await client.resource(kinds.pods).delete({ name, namespace });
    if (!flags.quiet) console.log(`pod "${name}" deleted`);
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
}
