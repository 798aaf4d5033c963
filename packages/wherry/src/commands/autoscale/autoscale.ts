import { type KubeClient, kinds } from '@wherry/client';
import type { HorizontalPodAutoscaler } from '@wherry/kubeapi';
import { clientFor } from '../../kube/flags.ts';
import { withCause } from '../../objects/change-cause.ts';
import { findObjects, meantObjects, type SelectFlags } from '../../objects/find-objects.ts';
import { asMade } from '../../objects/manifests/last-applied.ts';
import { resourceOfKind } from '../../objects/of-kind.ts';
import { type OutcomeFlags, outcomePrinter } from '../../objects/outcome.ts';
import type { NamedObject } from '../../objects/targets.ts';
import { Failures } from '../../output/failures.ts';
import { type AutoscalerFlags, autoscalerOf, readTargets, type Targets } from './autoscaler-of.ts';
import { Scalable } from './scalable.ts';

/** Flags of `wherry autoscale`. */
export interface AutoscaleFlags extends SelectFlags, AutoscalerFlags, OutcomeFlags {
  fieldManager: string;
  saveConfig?: boolean;
}

/** Creates autoscalers of objects; those of files need not be there. */
export async function autoscale(words: readonly string[], flags: AutoscaleFlags): Promise<void> {
  const targets = readTargets(flags);
  const client = clientFor(flags);
  const failures = new Failures();
  const found = flags.filename
    ? (await meantObjects(client, { words, flags, failures })).named
    : await findObjects(client, { words, flags, failures });
  const scalable = new Scalable(client);
  const tell = outcomePrinter(flags, { isTyped: true });
  for (const one of found) {
    await failures.attempt(
      (async () => {
        await scalable.require(one.resource);
        const autoscaler = await create(client, one, { flags, targets });
        const done = flags.dryRun === 'client' ? 'created' : 'autoscaled';
        tell({ resource: resourceOfKind(autoscaler), object: autoscaler, done });
      })(),
    );
  }
  failures.report();
}

/** Where the command is, wherever a file has its object. */
async function create(
  client: KubeClient,
  { resource, name }: NamedObject,
  { flags, targets }: { flags: AutoscaleFlags; targets: Targets },
): Promise<HorizontalPodAutoscaler> {
  const autoscaler = withCause(autoscalerOf({ resource, name }, targets, flags), flags);
  const { fieldManager, dryRun } = flags;
  if (dryRun === 'client') return autoscaler;
  const namespace = flags.namespace ?? client.access.namespace;
  const options = { namespace, fieldManager, dryRun: dryRun === 'server' };
  return client.resource(kinds.horizontalPodAutoscalers).create(asMade(autoscaler, flags), options);
}
