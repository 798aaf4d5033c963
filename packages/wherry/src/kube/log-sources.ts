import { forLogs, type KubeClient, kinds } from '@wherry/client';
import { type Pod, StatusError } from '@wherry/kubeapi';
import { CommandError } from '../errors.ts';
import { chooseContainer } from './container-choice.ts';
import { findPods, parseTarget } from './pod-target.ts';
import { nothingFound } from './scope.ts';

/** One log: a container of a pod. */
export interface LogSource {
  pod: Pod;
  container: string;
}

/** Which logs are meant. */
export interface LogSourceOptions {
  /** `POD` or `TYPE/NAME`; undefined with a selector. */
  target: string | undefined;
  selector?: string | undefined;
  namespace?: string | undefined;
  container?: string | undefined;
  allContainers?: boolean | undefined;
  /** Every pod behind the target instead of the best one. */
  allPods?: boolean | undefined;
  /** How long to wait until there is a pod, in milliseconds. */
  podRunningTimeout: number;
}

/** Finds the logs, and says on stderr what was chosen for the user, in kubectl's words. */
export async function findLogSources(client: KubeClient, options: LogSourceOptions): Promise<LogSource[]> {
  const pods = await findLogPods(client, options);
  return pods.flatMap((pod) => containersOf(pod, options).map((container) => ({ pod, container })));
}

async function findLogPods(client: KubeClient, options: LogSourceOptions): Promise<Pod[]> {
  const { target, selector, allPods, podRunningTimeout } = options;
  const namespace = options.namespace ?? client.access.namespace;
  if (target === undefined) {
    const { items } = await client.resource(kinds.pods).listAll({ namespace, labelSelector: selector });
    if (items.length === 0) console.error(nothingFound(namespace));
    return items;
  }
  const pods = await findPods(client, parseTarget(target, namespace), podRunningTimeout).catch(
    (error: unknown) => {
      throw withNamespace(error, namespace);
    },
  );
  if (allPods) return pods;
  const [first = pods[0], ...others] = pods.toSorted(forLogs);
  if (others.length > 0) {
    console.error(`Found ${pods.length} pods, using pod/${first.metadata.name}`);
  }
  return [first];
}

function containersOf(pod: Pod, { allContainers, allPods, container }: LogSourceOptions): string[] {
  if (allContainers) {
    const { initContainers = [], containers, ephemeralContainers = [] } = pod.spec;
    return [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
  }
  const quiet = allPods === true;
  return [chooseContainer(pod, { wanted: container, quiet, warn: console.error }).name];
}

/** `logs` alone says where it looked. */
function withNamespace(error: unknown, namespace: string): unknown {
  if (!(error instanceof StatusError) || error.reason !== 'NotFound') return error;
  const message = `Error from server (NotFound): ${error.message} in namespace "${namespace}"`;
  return new CommandError(message, { cause: error });
}
