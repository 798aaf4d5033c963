import type { Node, Pod } from '@wherry/kubeapi/objects';
import type { NodeRoom } from '../cluster/node-room.ts';
import type { PodInfo } from '../cluster/pod-info.ts';
import type { Candidate } from '../preemption/select-victims.ts';
import { readBindingAnswer, readFilterAnswer, readPriorities, readVictims } from './extender-answers.ts';
import type { ExtenderDoor } from './extender-door.ts';
import { ExtenderError } from './extender-error.ts';

/** What one extender has a say in; a verb that it lacks is not asked for. */
export interface ExtenderRole {
  /** How it is told from others: its address. */
  name: string;
  filterVerb?: string | undefined;
  prioritizeVerb?: string | undefined;
  preemptVerb?: string | undefined;
  bindVerb?: string | undefined;
  /** How much its points count. */
  weight: number;
  /** It knows nodes and pods by their names. */
  nodeCacheCapable: boolean;
  /** It is asked about pods alone that ask for some of these; empty: about all. */
  managedResources: ReadonlySet<string>;
  /** Scheduling goes on without it where it fails. */
  isIgnorable: boolean;
}

/** Which nodes an extender leaves, and why not the others. */
export interface Filtered {
  rooms: NodeRoom[];
  failed: ReadonlyMap<string, string>;
  hopeless: ReadonlyMap<string, string>;
}

/** Points of extenders are 0 to 10, those of plug-ins ten times that. */
const pointScale = 10;

/** A server beside the scheduler that filters and ranks nodes, says who has to go, and binds (upstream: HTTPExtender). */
export class Extender {
  readonly role: ExtenderRole;
  readonly #door: ExtenderDoor;

  constructor(role: ExtenderRole, door: ExtenderDoor) {
    this.role = role;
    this.#door = door;
  }

  isInterested({ spec }: Pod): boolean {
    const { managedResources } = this.role;
    if (managedResources.size === 0) return true;
    return [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].some(({ resources }) =>
      [resources?.requests, resources?.limits].some((amounts) =>
        Object.keys(amounts ?? {}).some((name) => managedResources.has(name)),
      ),
    );
  }

  /** Those of the nodes that it leaves. Rejects with {@link ExtenderError}. */
  async filter(pod: Pod, rooms: readonly NodeRoom[], signal: AbortSignal): Promise<Filtered> {
    const { filterVerb, nodeCacheCapable, name } = this.role;
    if (!filterVerb) return { rooms: [...rooms], failed: new Map(), hopeless: new Map() };
    const answer = await this.#door.post(filterVerb, this.#nodesQuestion(pod, rooms), signal);
    const { nodeNames = [], failed, hopeless } = readFilterAnswer(answer, nodeCacheCapable);
    const known = new Map(rooms.map((room) => [room.name, room]));
    const left = nodeNames.map((each) => {
      const room = known.get(each);
      if (room) return room;
      const what = `claims a filtered node ${JSON.stringify(each)} which is not found in the input node list`;
      throw new ExtenderError(`extender ${JSON.stringify(name)} ${what}`);
    });
    return { rooms: [...new Set(left)], failed, hopeless };
  }

  /** What it adds to the scores of nodes, by name. Rejects with {@link ExtenderError}. */
  async prioritize(pod: Pod, rooms: readonly NodeRoom[], signal: AbortSignal): Promise<Map<string, number>> {
    const { prioritizeVerb, weight } = this.role;
    if (!prioritizeVerb) return new Map();
    const answer = await this.#door.post(prioritizeVerb, this.#nodesQuestion(pod, rooms), signal);
    return new Map([...readPriorities(answer)].map(([host, points]) => [host, points * weight * pointScale]));
  }

  /** The candidates that it leaves, with the victims that it wants. Rejects with {@link ExtenderError}. */
  async preempt(pod: Pod, candidates: readonly Candidate[], signal: AbortSignal): Promise<Candidate[]> {
    const { preemptVerb = '', nodeCacheCapable, isIgnorable } = this.role;
    const victimsOf = ({ victims, violations }: Candidate) => ({
      Pods: victims.map((victim) => (nodeCacheCapable ? { UID: victim.uid } : sentPod(victim.pod))),
      NumPDBViolations: violations,
    });
    const byNode = Object.fromEntries(candidates.map((each) => [each.room.name, victimsOf(each)]));
    const question = {
      Pod: sentPod(pod),
      NodeNameToVictims: nodeCacheCapable ? null : byNode,
      NodeNameToMetaVictims: nodeCacheCapable ? byNode : null,
    };
    const answer = readVictims(await this.#door.post(preemptVerb, question, signal));
    const rooms = new Map(candidates.map(({ room }) => [room.name, room]));
    const left: Candidate[] = [];
    for (const [nodeName, { uids, violations }] of answer) {
      const room = rooms.get(nodeName);
      if (!room) throw new ExtenderError(`nodeinfo not found for node name ${JSON.stringify(nodeName)}`);
      const victims = uids.map((uid) => this.#podOn(room, uid));
      if (victims.length > 0) left.push({ room, victims, violations });
      else if (!isIgnorable)
        throw new ExtenderError(`expected at least one victim pod on node ${JSON.stringify(nodeName)}`);
    }
    return left;
  }

  /** Has it bind the pod. Rejects with {@link ExtenderError}. */
  async bind({ metadata }: Pod, nodeName: string, signal: AbortSignal): Promise<void> {
    const { bindVerb = '' } = this.role;
    const { name = '', namespace = '', uid = '' } = metadata;
    const question = { PodName: name, PodNamespace: namespace, PodUID: uid, Node: nodeName };
    readBindingAnswer(await this.#door.post(bindVerb, question, signal));
  }

  close(): void {
    this.#door.close();
  }

  #podOn({ pods, name }: NodeRoom, uid: string): PodInfo {
    const found = pods.get(uid);
    if (found) return found;
    const claim = `claims to preempt pod (UID: ${uid}) on node: ${name}, but the pod is not found on that node`;
    throw new ExtenderError(`extender: ${this.role.name} ${claim}`);
  }

  #nodesQuestion(pod: Pod, rooms: readonly NodeRoom[]): object {
    const { nodeCacheCapable } = this.role;
    const items = rooms.flatMap(({ node }) => (node ? [sentNode(node)] : []));
    return {
      Pod: sentPod(pod),
      Nodes: nodeCacheCapable ? null : { metadata: {}, items },
      NodeNames: nodeCacheCapable ? rooms.map(({ name }) => name) : null,
    };
  }
}

/** A pod as upstream sends it: its own watch leaves out who manages which field. */
function sentPod({ apiVersion: _version, kind: _kind, metadata, ...pod }: Pod): object {
  const { managedFields: _fields, ...kept } = metadata;
  return { metadata: kept, ...pod };
}

/** A node as upstream sends it. */
const sentNode = ({ apiVersion: _version, kind: _kind, ...node }: Node): object => node;
