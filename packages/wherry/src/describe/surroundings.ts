import { type KubeClient, type KubeObject, kinds, type ResourceType } from '@wherry/client';
import { type Event, hasReason } from '@wherry/kubeapi';
import { itemsInChunks } from '../objects/in-chunks.ts';
import { eventLines } from './events.ts';
import type { Lines } from './text/lines.ts';
import { withoutNulls } from './without-nulls.ts';

/** What a description is made with. */
export interface DescribeSettings {
  client: KubeClient;
  showEvents: boolean;
  /** How many objects of a list are asked for at once; 0 for all. */
  chunkSize: number;
}

/** What an event names of its object; fields that are not there are not asked for. */
export interface EventSubject {
  name: string | undefined;
  namespace: string | undefined;
  kind?: string | undefined;
  uid?: string | undefined;
}

/** What is asked for of a list. */
interface Query {
  namespace?: string | undefined;
  labelSelector?: string;
  fieldSelector?: string;
}

/** What stands around an object: what a describer asks the server for beside it. */
export class Surroundings {
  readonly #settings: DescribeSettings;

  constructor(settings: DescribeSettings) {
    this.#settings = settings;
  }

  /** Whether events are wanted. */
  get showEvents(): boolean {
    return this.#settings.showEvents;
  }

  /** All of a type that a query leaves. Throws `StatusError` where that may not be read. */
  async list<T extends KubeObject>(type: ResourceType<T>, query: Query = {}): Promise<T[]> {
    const { client, chunkSize } = this.#settings;
    const items = await itemsInChunks(chunkSize, (part) =>
      client.resource<T>(type).list({ ...query, ...part }),
    );
    return withoutNulls(items);
  }

  /** One object. Throws `StatusError` where it is not there or may not be read. */
  async get<T extends KubeObject>(
    type: ResourceType<T>,
    key: { name: string; namespace?: string | undefined },
  ): Promise<T> {
    return withoutNulls(await this.#settings.client.resource<T>(type).get(key));
  }

  /** What happened to an object, if that is wanted; nothing where it may not be read. */
  async events({ kind, metadata = {} }: KubeObject): Promise<Lines> {
    const { name, namespace, uid } = metadata;
    return this.eventsOf({ name, namespace, kind, uid });
  }

  /** As {@link events}, of what is named in one of several ways. */
  async eventsOf(...subjects: EventSubject[]): Promise<Lines> {
    if (!this.showEvents) return [];
    const found = await Promise.all(subjects.map((subject) => this.readEvents(subject).catch(noneToRead)));
    return eventLines(found.flat());
  }

  /** Throws `StatusError` where they may not be read. */
  readEvents({ name = '', namespace = '', kind, uid }: EventSubject): Promise<Event[]> {
    const terms = [
      `involvedObject.name=${name}`,
      `involvedObject.namespace=${namespace}`,
      ...(kind === undefined ? [] : [`involvedObject.kind=${kind}`]),
      ...(uid === undefined ? [] : [`involvedObject.uid=${uid}`]),
    ];
    return this.list(kinds.events, { namespace: namespace || undefined, fieldSelector: terms.join(',') });
  }
}

function noneToRead(error: unknown): Event[] {
  if (hasReason(error, 'Forbidden') || hasReason(error, 'NotFound')) return [];
  throw error;
}
