import type { Clock } from '@wherry/clock';
import {
  type FlowSchema,
  mandatoryFlowSchemas,
  mandatoryPriorityLevels,
  type PriorityLevelConfiguration,
  suggestedFlowSchemas,
  suggestedPriorityLevels,
} from '@wherry/kubeapi';
import type { UserInfo } from '../authentication/identity.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { Lending } from './lending.ts';
import { Level, type LevelPlaces, placesOf } from './level.ts';
import { isMatch } from './request-match.ts';

/** The stored objects of a kind. */
export interface FlowObjectSource<T> {
  /** Another one after each change. */
  readonly generation: number;
  values(): Iterable<T>;
}

/** What levels are made of. */
export interface LevelsOptions {
  clock: Clock;
  schemas: FlowObjectSource<FlowSchema>;
  levels: FlowObjectSource<PriorityLevelConfiguration>;
  /** Requests that all levels serve at once. */
  inFlightMax: number;
  /** Told of the places of each level when they change; none for one that is gone. */
  onPlaces(name: string, places: LevelPlaces): void;
}

/** Where a request belongs. */
export interface Place {
  level: Level;
  /** The FlowSchema that says so; its UID is empty where it is not stored. */
  schema: { name: string; uid: string };
  /** Requests of one flow wait behind each other, and those of several take turns. */
  flow: string;
}

/** The levels of priority, as the stored objects are at the moment. */
export class Levels {
  readonly #options: LevelsOptions;
  readonly #levels = new Map<string, Level>();
  readonly #lending = new Lending();
  /** In the order in which they are asked. */
  #schemas: readonly FlowSchema[] = [];
  #generations = '';

  constructor(options: LevelsOptions) {
    this.#options = options;
  }

  /** The level, and the flow in it, of a user's request. */
  placeOf(user: UserInfo, info: RequestInfo): Place {
    this.#follow();
    const schema = this.#schemas.find((each) => isMatch(each, user, info)) ?? this.#schemas.at(-1)!;
    const { metadata, spec } = schema;
    const { name = '', uid = '' } = metadata;
    const level = this.#levels.get(spec.priorityLevelConfiguration.name)!;
    return { level, schema: { name, uid }, flow: `${name}/${flowOf(schema, user, info)}` };
  }

  /** What is built in stands where the server does not serve the objects, or where one that must be there is not. */
  #follow(): void {
    const { schemas, levels } = this.#options;
    const generations = `${schemas.generation}/${levels.generation}`;
    if (generations === this.#generations) return;
    this.#generations = generations;
    const storedLevels = [...levels.values()];
    const storedSchemas = [...schemas.values()];
    const missing = <T extends { metadata: { name?: string } }>(
      stored: readonly T[],
      mandatory: readonly T[],
      suggested: readonly T[],
    ) =>
      [...mandatory, ...(stored.length > 0 ? [] : suggested)].filter(
        ({ metadata }) => !stored.some((each) => each.metadata.name === metadata.name),
      );
    this.#setLevels([
      ...storedLevels,
      ...missing(storedLevels, mandatoryPriorityLevels, suggestedPriorityLevels),
    ]);
    this.#schemas = [...storedSchemas, ...missing(storedSchemas, mandatoryFlowSchemas, suggestedFlowSchemas)]
      .filter(({ spec }) => this.#levels.has(spec.priorityLevelConfiguration.name))
      .sort(byPrecedence);
    this.#lending.startWaiting();
  }

  #setLevels(objects: readonly PriorityLevelConfiguration[]): void {
    const { clock, inFlightMax, onPlaces } = this.#options;
    const places = placesOf(objects, inFlightMax);
    for (const [name, level] of this.#levels) {
      if (places.has(name)) continue;
      this.#levels.delete(name);
      level.retire();
      onPlaces(name, { nominal: 0, kept: 0, max: 0 });
    }
    for (const object of objects) {
      const { name = '' } = object.metadata;
      const level = this.#levels.get(name) ?? new Level(name, { clock, ...this.#lendingHooks });
      this.#levels.set(name, level);
      this.#lending.add(level);
      level.configure(object, places.get(name)!);
      onPlaces(name, level.places);
    }
  }

  readonly #lendingHooks = {
    hasPlace: (level: Level) => this.#lending.hasPlace(level),
    onPlaceFree: () => this.#lending.startWaiting(),
  };
}

function flowOf({ spec }: FlowSchema, user: UserInfo, info: RequestInfo): string {
  const method = spec.distinguisherMethod?.type;
  if (method === 'ByUser') return user.name;
  return method === 'ByNamespace' ? info.namespace : '';
}

/** The lowest number first; of two the one whose name sorts first, as upstream. */
function byPrecedence(one: FlowSchema, other: FlowSchema): number {
  const difference = (one.spec.matchingPrecedence ?? 0) - (other.spec.matchingPrecedence ?? 0);
  if (difference !== 0) return difference;
  return (one.metadata.name ?? '') < (other.metadata.name ?? '') ? -1 : 1;
}
