import {
  contextNameOf,
  memberLayouts,
  type NodeLayout,
  readRecord,
  stopNode,
  watchProcesses,
} from '@wherry/node';
import { CommandError } from '../../errors.ts';
import { forgetKubeconfig } from '../../kubeconfig/share.ts';
import { Steps } from '../../output/steps.ts';
import { checkMachine } from '../../system/preflight.ts';
import { tellReady } from '../../system/systemd.ts';
import { interruptible, onInterrupt } from '../../terminal/interrupt.ts';
import { bringUp, type UpNode } from './bring-up.ts';
import { type UpOptions, wantedNodes } from './wanted-nodes.ts';

/** Brings nodes up; in the foreground it stays until Ctrl-C, which ends them and their pods. */
export async function up(options: UpOptions): Promise<void> {
  const wanted = wantedNodes(options);
  checkMachine();
  const nodes: UpNode[] = [];
  // From the beginning: a signal that comes when a start is just over finds nobody else who heeds it.
  const interruption = options.detach ? undefined : interrupted();
  try {
    for (const node of wanted) {
      await interruptible((signal) => bringUp(node, options, { signal, isUp: (one) => nodes.push(one) }));
    }
  } catch (error) {
    // What comes after the start may fail: in the background the node stays, in the foreground nobody would end it.
    if (!options.detach) await endAll(nodes, options);
    throw error;
  }
  tellReady();
  if (options.detach) return;
  const steps = new Steps();
  const died = await Promise.race([
    interruption,
    ...nodes.flatMap(({ layout }) => [
      watchUntilDead(layout, steps),
      ...memberLayouts(layout).map((member) => watchMember(member, steps)),
    ]),
  ]);
  await endAll(nodes, options);
  // Whoever keeps this command running starts it again.
  if (died) throw new CommandError(`all processes of the node died at once; their logs are in ${died}`);
}

/** Watches over a node until it has ended. Resolves with the folder of its logs when nobody had asked for that. */
async function watchUntilDead(layout: NodeLayout, progress: Steps): Promise<string | undefined> {
  await watchProcesses(layout, { progress });
  const { processes = {} } = readRecord(layout) ?? {};
  return Object.keys(processes).length > 0 ? layout.logsDir : undefined;
}

/** A node that joined may be ended by name, and the others go on. */
async function watchMember(layout: NodeLayout, progress: Steps): Promise<string | undefined> {
  const died = await watchUntilDead(layout, progress);
  return died ?? new Promise(() => {});
}

async function endAll(nodes: readonly UpNode[], { keepPods = false }: UpOptions): Promise<void> {
  for (const { layout, record } of nodes) {
    const steps = new Steps();
    steps.say(
      `\nending the node in ${layout.dataDir}${keepPods ? '; its containers run on' : ' and its pods'}`,
    );
    await stopNode(layout, { keepPods, progress: steps });
    forgetKubeconfig(contextNameOf(layout, record), steps);
  }
}

/** Resolves on Ctrl-C, SIGTERM or SIGHUP; a second one, a second later or more, ends this command at once. */
function interrupted(): Promise<undefined> {
  return new Promise((resolve) => {
    onInterrupt(() => resolve(undefined));
  });
}
