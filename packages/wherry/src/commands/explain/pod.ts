import { type KubeClient, kinds } from '@wherry/client';
import type { Event, Pod } from '@wherry/kubeapi';
import { failureText, restartedContainers, restartedText } from '@wherry/podrules/pod-ends';
import { type Wait, waitOf, waitText } from '@wherry/podrules/pod-wait';
import { type Step, timelineOf } from '../../explain/timeline.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { paint, type Tone } from '../../output/colours.ts';
import { print, printValue } from '../../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../../output/output-format.ts';
import { formatTable } from '../../output/table.ts';
import { findEvents } from '../objects/events/find-events.ts';

/** Flags of `wherry explain pod NAME`. */
export interface ExplainPodFlags extends KubeFlags {
  output?: OutputFormat;
}

/** What `-o json` prints; a contract with scripts. */
interface Explanation {
  pod: string;
  namespace: string;
  node: string | null;
  phase: string;
  /** RFC 3339, with milliseconds where `isExact`. */
  steps: {
    time: string;
    isExact: boolean;
    step: string;
    detail: string;
    count: number;
    isTrouble: boolean;
  }[];
  /** What it waits for; null for a pod that is Ready or has ended. */
  waitsFor: Wait | null;
  /** Why it has failed; null for one that has not. */
  failure: string | null;
  /** Of the containers that run again how they ended before, a sentence each. */
  restarts: string[];
}

/** Prints a pod's way from the API write to Ready, each step with its time, and what it waits for. */
export async function explainPod(name: string, flags: ExplainPodFlags): Promise<void> {
  const client = clientFor(flags);
  const namespace = flags.namespace ?? client.access.namespace;
  const pod = await client.resource(kinds.pods).get({ name, namespace });
  const events = await eventsOf(client, pod);
  const explanation = explanationOf(pod, events);
  if (isValueFormat(flags.output)) return printValue(explanation, flags.output);
  print(describe(explanation));
}

async function eventsOf(client: KubeClient, { metadata }: Pod): Promise<Event[]> {
  const fieldSelector = `involvedObject.uid=${metadata.uid}`;
  return findEvents(client, { namespace: metadata.namespace, fieldSelector });
}

function explanationOf(pod: Pod, events: readonly Event[]): Explanation {
  return {
    pod: pod.metadata.name ?? '',
    namespace: pod.metadata.namespace ?? '',
    node: pod.spec.nodeName ?? null,
    phase: pod.status?.phase ?? 'Unknown',
    steps: timelineOf(pod, events).map(({ at, ...step }) => ({
      time: new Date(at.ms).toISOString(),
      isExact: at.isExact,
      ...step,
    })),
    waitsFor: waitOf(pod, events) ?? null,
    failure: failureText(pod) ?? null,
    restarts: restartedContainers(pod).map(restartedText),
  };
}

function describe(explanation: Explanation): string {
  const { pod, namespace, node, phase, steps, waitsFor } = explanation;
  const begunMs = Date.parse(steps[0]?.time ?? '');
  const rows = steps.map(({ time, isExact, step, detail, count }) => [
    sinceText(Date.parse(time) - begunMs, isExact),
    count > 1 ? `${step} (x${count})` : step,
    detail.replace(/\s*\n\s*/g, '; '),
  ]);
  const troubles = new Set(steps.filter(({ isTrouble }) => isTrouble).map(({ step }) => step));
  const toneOf = (title: string, cell: string): Tone | undefined =>
    title === 'STEP' && troubles.has(cell.replace(/ \(x\d+\)$/, '')) ? 'warning' : undefined;
  const where = node === null ? 'no node yet' : `node ${node}`;
  return [
    `pod ${namespace}/${pod}: ${phase}, ${where}`,
    '',
    formatTable(['AFTER', 'STEP', 'WHAT'], rows, { toneOf }),
    '',
    verdict(explanation, begunMs, waitsFor),
    ...explanation.restarts.map((text) => paint(text, 'warning', process.stdout)),
  ].join('\n');
}

function verdict({ phase, steps, failure }: Explanation, begunMs: number, wait: Wait | null): string {
  if (wait) {
    return paint(`waits for: ${waitText(wait)}`, 'warning', process.stdout);
  }
  if (failure !== null) return paint(`it has failed: ${failure}`, 'bad', process.stdout);
  const ready = steps.findLast(({ step }) => step === 'Ready');
  return ready
    ? `Ready after ${sinceText(Date.parse(ready.time) - begunMs, ready.isExact)}`
    : `it has ended: ${phase}`;
}

/** Exact times have their milliseconds; of the others the second is known, `~`. */
const sinceText = (ms: Step['at']['ms'], isExact: boolean) =>
  isExact ? `${(ms / 1000).toFixed(3)} s` : `~${Math.round(ms / 1000)} s`;
