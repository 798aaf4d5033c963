import { setTimeout as delay } from 'node:timers/promises';
import { ContainerState, type CriClient, CriError, isCriError, PodSandboxState } from '@wherry/cri';

/** What a container does, and how it is ended. */
export interface LifePlan {
  /** Unique among the lives of a node. */
  name: string;
  /** Lines that it writes before it ends by itself, or waits to be stopped. */
  lines: number;
  exitCode: number;
  /** Seconds that the stop waits for the container's own end; null for one that ends by itself. */
  stopSeconds: number | null;
  /** It deals with the stop signal; otherwise it is killed. */
  hearsStop: boolean;
}

/** What a life was spent with. */
export interface LifeGround {
  cri: CriClient;
  logFolder: string;
  readLog(name: string): string;
}

const retryMs = 50;
/** How long a step is tried again. */
const patienceMs = 120_000;
/** Codes that leave open what was done, or say that nothing can be done now. */
const passing = ['UNAVAILABLE', 'UNKNOWN', 'CANCELLED', 'DEADLINE_EXCEEDED', 'ABORTED'] as const;

/**
 * One pod with one container from its making to its removal, by a client that does what a kubelet does about lost answers:
 * it looks again, and asks again. Gives what was wrong.
 */
export async function live(plan: LifePlan, ground: LifeGround): Promise<string[]> {
  const { cri } = ground;
  const label = { life: plan.name };
  const podSandboxId = await persist(() => ownSandbox(plan, ground));
  const containerId = await persist(() => ownContainer(plan, podSandboxId, ground));
  await persist(() => started(containerId, cri));
  if (plan.stopSeconds !== null) {
    await persist(
      () => written(plan, containerId, ground),
      () => `${plan.name}: line ${plan.lines}, behind ${entriesOf(plan, ground).length} others`,
    );
    await persist(() => cri.runtime.stopContainer({ containerId, timeout: plan.stopSeconds ?? 0 }));
  }
  const status = await persist(
    () => ended(containerId, cri),
    () => `${plan.name}: its end`,
  );
  const wrong = [...wrongEnd(plan, status), ...wrongLog(plan, ground)];
  await persist(() => cri.runtime.removeContainer({ containerId }));
  for (const { id } of await persist(
    async () => (await cri.runtime.listPodSandbox({ filter: { labelSelector: label } })).items,
  ))
    for (const verb of ['stopPodSandbox', 'removePodSandbox'] as const)
      await persist(() => cri.runtime[verb]({ podSandboxId: id }));
  return wrong.map((what) => `${plan.name}: ${what}`);
}

/** Asks until there is an answer other than undefined. */
async function persist<T>(step: () => Promise<T | undefined>, what = () => 'an answer'): Promise<T> {
  const endMs = performance.now() + patienceMs;
  let last: unknown;
  while (performance.now() < endMs) {
    try {
      const answer = await step();
      if (answer !== undefined) return answer;
    } catch (error) {
      if (!passing.some((code) => isCriError(error, code))) throw error;
      last = error;
    }
    await delay(retryMs);
  }
  throw new Error(`${what()}: not within ${patienceMs / 1_000} s`, { cause: last });
}

async function ownSandbox({ name }: LifePlan, { cri, logFolder }: LifeGround): Promise<string> {
  const filter = { labelSelector: { life: name } };
  const { items } = await cri.runtime.listPodSandbox({ filter });
  const found = items.find(({ state }) => state === PodSandboxState.SANDBOX_READY);
  if (found) return found.id;
  const metadata = { name, namespace: 'default', uid: name, attempt: items.length };
  const config = { metadata, logDirectory: logFolder, labels: filter.labelSelector };
  return (await cri.runtime.runPodSandbox({ config })).podSandboxId;
}

async function ownContainer(plan: LifePlan, podSandboxId: string, { cri }: LifeGround): Promise<string> {
  const { containers } = await cri.runtime.listContainers({ filter: { podSandboxId } });
  if (containers[0]) return containers[0].id;
  const config = {
    metadata: { name: 'main', attempt: 0 },
    image: { image: 'box' },
    command: ['sh', '-c', scriptOf(plan)],
    logPath: logName(plan),
  };
  return (await cri.runtime.createContainer({ podSandboxId, config })).containerId;
}

function scriptOf({ lines, exitCode, stopSeconds, hearsStop }: LifePlan): string {
  const trap = hearsStop ? `trap "exit ${exitCode}" TERM; ` : 'trap "" TERM; ';
  const write = `i=0; while [ $i -lt ${lines} ]; do i=$((i+1)); echo line $i; done; `;
  return stopSeconds === null ? `${write}exit ${exitCode}` : `${trap}${write}while true; do sleep 0.05; done`;
}

const logName = ({ name }: LifePlan) => `${name}.log`;

/** Starts it unless it was: the answer to an earlier call may have been lost. Undefined while that is not known. */
async function started(containerId: string, cri: CriClient): Promise<true | undefined> {
  const { status } = await cri.runtime.containerStatus({ containerId });
  if (status?.state !== ContainerState.CONTAINER_CREATED) return true;
  try {
    await cri.runtime.startContainer({ containerId });
  } catch (error) {
    if (!(error instanceof CriError)) throw error;
    // Another start may be under way, or have come to its end.
    if (!isCriError(error, 'FAILED_PRECONDITION') && !isCriError(error, 'ALREADY_EXISTS')) throw error;
    return undefined;
  }
  return true;
}

async function ended(containerId: string, cri: CriClient) {
  const { status } = await cri.runtime.containerStatus({ containerId });
  return status?.state === ContainerState.CONTAINER_EXITED ? status : undefined;
}

/** Whether all lines are in the log. One that waits to be stopped must not end before. */
async function written(plan: LifePlan, containerId: string, ground: LifeGround): Promise<true | undefined> {
  const status = await ended(containerId, ground.cri);
  const count = entriesOf(plan, ground).length;
  if (count >= plan.lines) return true;
  if (!status) return undefined;
  const { exitCode, reason, message } = status;
  const how = `${exitCode} ${reason} "${message}"`;
  throw new Error(`${plan.name} ended by itself with ${how}, and ${count} of ${plan.lines} lines`);
}

function entriesOf(plan: LifePlan, { readLog }: LifeGround): string[] {
  return readLog(logName(plan)).split('\n').slice(0, -1);
}

function wrongEnd(plan: LifePlan, status: { exitCode: number; reason: string; message: string }): string[] {
  const wanted = plan.stopSeconds !== null && !plan.hearsStop ? 137 : plan.exitCode;
  const { exitCode, reason, message } = status;
  if (exitCode === wanted) return [];
  return [`ended with ${exitCode} ${reason} "${message}" instead of ${wanted}`];
}

function wrongLog(plan: LifePlan, ground: LifeGround): string[] {
  const entries = entriesOf(plan, ground);
  const bad = entries.findIndex((entry, at) => !entry.endsWith(` stdout F line ${at + 1}`));
  if (entries.length === plan.lines && bad === -1) return [];
  return [
    `${entries.length} lines in its log instead of ${plan.lines}, the first wrong one ${bad} "${entries[bad]}"`,
  ];
}
