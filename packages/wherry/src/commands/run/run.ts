import { orAborted } from '@wherry/bytes';
import { type KubeClient, type KubeObject, kinds } from '@wherry/client';
import { systemClock } from '@wherry/clock';
import { hasReason, type Pod, type Service } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type StreamFlags } from '../../kube/flags.ts';
import { waitForStart } from '../../kube/pod-target.ts';
import { typeName } from '../../objects/catalog.ts';
import { withCause } from '../../objects/change-cause.ts';
import {
  type Cascade,
  deleteOptions,
  type GraceFlags,
  gracePeriodOf,
} from '../../objects/deletion/cascade.ts';
import { deletedLine } from '../../objects/deletion/deleted-line.ts';
import { untilGone } from '../../objects/deletion/until-gone.ts';
import { asMade } from '../../objects/manifests/last-applied.ts';
import { inNamespace } from '../../objects/namespace-of.ts';
import { resourceOfKind } from '../../objects/of-kind.ts';
import { type OutcomeFlags, outcomePrinter } from '../../objects/outcome.ts';
import { type OverrideFlags, overridden } from '../../objects/overrides.ts';
import { Failures } from '../../output/failures.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { type ContainerEnd, endFrom, joinOrTell } from '../kube/join.ts';
import { type PodFlags, podOf, serviceOfPod } from './made.ts';

/** Flags of `wherry run`. */
export interface RunFlags extends PodFlags, StreamFlags, OverrideFlags, OutcomeFlags, GraceFlags {
  /** A service for the pod too. */
  expose?: boolean;
  attach?: boolean;
  rm?: boolean;
  cascade: Cascade;
  /** Waits until what `rm` deletes is gone. */
  wait?: boolean;
  /** How long, in milliseconds; 0 for as long as it takes. */
  timeout: number;
  quiet?: boolean;
  detachKeys: string;
  saveConfig?: boolean;
  fieldManager: string;
  /** Milliseconds. */
  podRunningTimeout: number;
}

/** Creates a pod of one container; with `-i` or `--attach` joins it, and with `--rm` deletes it at the end. */
export async function run(name: string, words: readonly string[], flags: RunFlags): Promise<void> {
  const pod = withCause(overridden(podOf(name, words, flags), flags), flags);
  const service = flags.expose ? withCause(serviceOfPod(name, flags), flags) : undefined;
  const tell = outcomePrinter(flags, { isTyped: true });
  const tellCreated = (object: KubeObject) =>
    tell({ resource: resourceOfKind(object), object, done: 'created' });
  if (flags.dryRun === 'client') {
    for (const made of [service, pod]) if (made) tellCreated(inNamespace(made, flags.namespace));
    return;
  }
  const client = clientFor(flags);
  const failures = new Failures();
  const createdPod = await create(client, pod, flags);
  const createdService = service && (await failures.attempt(create(client, service, flags)));
  if (createdService) tellCreated(createdService);
  if (flags.attach ?? flags.stdin) await joinAndRemove(client, [createdPod, createdService], flags);
  else tellCreated(createdPod);
  failures.report();
}

const kindOf = (object: KubeObject) => (object.kind === 'Service' ? kinds.services : kinds.pods);

function create<T extends Pod | Service>(client: KubeClient, object: T, flags: RunFlags): Promise<T> {
  const { fieldManager, namespace = client.access.namespace } = flags;
  const dryRun = flags.dryRun === 'server';
  return client
    .resource<KubeObject>(kindOf(object))
    .create(asMade(object, flags), { namespace, fieldManager, dryRun }) as Promise<T>;
}

async function joinAndRemove(
  client: KubeClient,
  [pod, service]: [Pod, Service | undefined],
  flags: RunFlags,
): Promise<void> {
  if (!flags.rm) return join(client, pod, flags);
  try {
    // Who gives up by Ctrl-C wants what was made to go, too.
    await interruptible((signal) => orAborted(join(client, pod, { ...flags, signal }), signal));
  } finally {
    for (const made of [pod, service]) if (made) await remove(client, made, flags);
  }
}

/** Joins the pod's only container. */
function join(client: KubeClient, pod: Pod, flags: RunFlags & { signal?: AbortSignal }): Promise<void> {
  const { name = '', namespace = '' } = pod.metadata;
  const { stdin = false, tty = false, quiet = false } = flags;
  return joinOrTell(client, {
    look: () => waitForStart(client, { kind: 'pod', name, namespace }, flags.podRunningTimeout),
    endOf,
    statusOf: ({ status }) => status?.containerStatuses?.[0],
    flags: { ...flags, stdin, tty, quiet },
  });
}

/** How the pod's only container ended for good. Throws `CommandError` when the pod failed without having run it. */
function endOf({ metadata, status }: Pod): ContainerEnd | undefined {
  if (status?.phase !== 'Succeeded' && status?.phase !== 'Failed') return undefined;
  const terminated = status.containerStatuses?.[0]?.state?.terminated;
  if (terminated) return endFrom(terminated);
  throw new CommandError(`pod "${metadata.name}" ${status.phase}: ${status.message ?? status.reason ?? ''}`);
}

async function remove(client: KubeClient, made: Pod | Service, flags: RunFlags): Promise<void> {
  const { quiet, cascade, force, wait, timeout } = flags;
  const { name = '', namespace = '', uid } = made.metadata;
  const one = { resource: resourceOfKind(made), name, namespace };
  try {
    const options = deleteOptions(cascade, gracePeriodOf(flags));
    await client.resource<KubeObject>(kindOf(made)).delete({ name, namespace }, options);
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
    return;
  }
  if (!quiet) console.log(deletedLine(one, { isForced: force }));
  if (!wait) return;
  const endMs = timeout > 0 ? systemClock.monotonicMs() + timeout : Number.POSITIVE_INFINITY;
  const late = `timed out waiting for ${typeName(one.resource)} "${name}" to be gone`;
  await untilGone(client, one, { endMs, late, uid });
}
