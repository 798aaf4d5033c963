/** Where ours and upstream's Go code say different things of one object, as lines that name kind, field and side. */
import {
  applyDefaults,
  conform,
  type FieldError,
  type JsonObject,
  resources,
  tableFor,
  timeFromMs,
  validateCreate,
  validateUpdate,
} from '@wherry/kubeapi';
import { servedKind } from '../../packages/apiserver/src/kinds/index.ts';
import { toServedResource } from '../../packages/apiserver/src/kinds/served-resources.ts';
import type { ApiObject } from '../../packages/apiserver/src/objects/api-object.ts';
import {
  prepareChange,
  prepareNew,
  stampGeneration,
} from '../../packages/apiserver/src/registry/preparation.ts';
import { type Question, withoutEmpty } from './questions.ts';

interface Violation {
  type: string;
  field: string;
  text: string;
}

/** What the judge says; see conformance/kubeapikindsjudge. */
export interface KindAnswer {
  error?: string;
  defaulted?: JsonObject;
  /** Of a question about another version. */
  converted?: JsonObject;
  prepared?: JsonObject;
  previous?: JsonObject;
  violations: Violation[] | null;
  columns: string[] | null;
  cells: unknown[] | null;
}

/** Lines such as `defaults apps/v1/Deployment spec.replicas: ours 1, theirs 2`. */
export function differencesOf(question: Question, answer: KindAnswer): string[] {
  if (answer.error !== undefined) return answer.error.startsWith('no strategy') ? [answer.error] : [];
  return [
    ...inDefaults(question, answer),
    ...inPreparation(question, answer),
    ...inViolations(question, answer),
    ...inTable(question, answer),
  ];
}

/** Of who asks the judge. */
const user = { name: 'somebody', groups: [], uid: '', extra: {} };

/** What is left of a write, and what the server puts beside it, before rules are looked at. */
function inPreparation(question: Question, { prepared }: KindAnswer): string[] {
  const { kind, schema, subresource } = question;
  const facts = resources.find((each) => each.kind === schema.upstreamName && each.group === schema.group)!;
  const resource = toServedResource(facts);
  const { strategy } = resource;
  // The server has given it one by then.
  if ((question.object['metadata'] as JsonObject | undefined)?.['name'] === undefined) return [];
  const nowText = timeFromMs(Date.now());
  const read = (object: JsonObject): ApiObject => {
    const copy = structuredClone(object) as ApiObject;
    strategy.normalize?.(copy);
    applyDefaults(copy, schema);
    return copy;
  };
  const object = read(question.object);
  object.metadata.uid ??= '';
  if (question.previous === undefined) {
    stampGeneration(object.metadata, resource);
    prepareNew(object, resource, { user, nowText });
  } else {
    const previous = read(question.previous);
    prepareChange(object, previous, resource, { subresource, nowText, stored: previous });
  }
  const verb = verbOf(question);
  if (object.metadata.uid === '') delete object.metadata.uid;
  // What is read back from the store has its defaults.
  const theirs = conform(prepared!, schema).object;
  for (const each of [object, theirs]) applyDefaults(each, schema);
  const places = differingPlaces(plain(object), plain(theirs), '').filter((place) => !isCounted(kind, place));
  // What only one side keeps is counted by it alone.
  const own = places.some((place) => place.startsWith('spec'))
    ? places.filter((place) => place !== 'metadata.generation')
    : places;
  return own.map((place) => `prepared for ${verb} ${kind} ${general(place)}`);
}

const verbOf = ({ previous, subresource }: Question): string =>
  previous === undefined ? 'create' : `update${subresource && ` of ${subresource} of`}`;

/** Times of today, which each side has its own of, are all the same. */
function plain(object: object): unknown {
  const today = new Date().toISOString().slice(0, 10);
  return withoutEmpty(
    JSON.parse(JSON.stringify(object), (_, value) =>
      typeof value === 'string' && value.startsWith(`${today}T`) ? 'now' : value,
    ),
  );
}

function inDefaults({ kind, schema, object }: Question, { defaulted }: KindAnswer): string[] {
  const ours = structuredClone(object);
  // The server's own spelling: what a secret says in text becomes bytes.
  servedKind({ group: schema.group, kind: schema.upstreamName }).strategy?.normalize?.(ours as never);
  applyDefaults(ours, schema);
  const places = differingPlaces(withoutEmpty(ours), withoutEmpty(conform(defaulted!, schema).object), '');
  const own = places.filter((place) => !isCounted(kind, place));
  return own.map((place) => `defaults ${kind} ${general(place)}`);
}

/** Upstream counts templates of daemon sets in a field of its own, which is an annotation outside. */
const isCounted = (kind: string, place: string): boolean =>
  kind === 'apps/v1/DaemonSet' && place.startsWith('metadata.annotations');

function inViolations(question: Question, { prepared, previous, violations }: KindAnswer): string[] {
  const { kind, schema, subresource } = question;
  const gvk = { group: schema.group, version: schema.version, kind: schema.upstreamName };
  const next = conform(prepared!, schema).object;
  const found =
    question.previous === undefined
      ? validateCreate(gvk, next)
      : validateUpdate(gvk, next, conform(previous!, schema).object, subresource);
  const line = ({ type, field }: { type: string; field: string }) =>
    `${type.replace('FieldValue', '')} ${general(field)}`;
  const [ours, theirs] = [new Set(found.map(line)), new Set((violations ?? []).map(line))];
  const verb = verbOf(question);
  return [
    ...(schema.group === wordedGroup ? inWords(question, found, violations ?? []) : []),
    ...[...ours].filter((each) => !theirs.has(each)).map((each) => `${verb} ${kind} only ours: ${each}`),
    ...[...theirs].filter((each) => !ours.has(each)).map((each) => `${verb} ${kind} only theirs: ${each}`),
  ];
}

/** The group whose violations are upstream's to the word. */
const wordedGroup = 'resource.k8s.io';

/**
 * Violations that both find and tell of otherwise. Of metadata and expressions it is known; where the value is no text and no
 * number, the rest is compared.
 */
function inWords(
  { kind }: Question,
  found: readonly FieldError[],
  violations: readonly Violation[],
): string[] {
  const ours = Map.groupBy(found, ({ type, field }) => `${type} ${field}`);
  return violations.flatMap(({ type, field, text }) => {
    const bodies = ours.get(`${type} ${field}`)?.map(({ body }) => body) ?? [];
    const [title, detail] = text.split(/(?<=^[\w ]+: )(?:\{.*\}|\[.*\]|null)(?=: |$)/);
    const isSaid = (body: string) =>
      detail === undefined ? body === text : body.startsWith(title!) && body.endsWith(detail);
    if (bodies.length === 0 || bodies.some(isSaid) || /^metadata|\.expression$/.test(field)) return [];
    return [`words ${kind} ${general(field)}: ours ${bodies.join(' | ')}, theirs ${text}`];
  });
}

function inTable({ kind, schema }: Question, { prepared, columns, cells }: KindAnswer): string[] {
  const gvk = { group: schema.group, version: schema.version, kind: schema.upstreamName };
  if (columns === null || cells === null) return [];
  const { object } = conform(prepared!, schema);
  const table = tableFor({ gvk, objects: [object], nowMs: Date.now() });
  const own = table.columnDefinitions.map(({ name, type, priority }) => `${name} ${type} ${priority}`);
  if (own.join() !== columns.join()) return [`columns ${kind} ours ${own.join()}, theirs ${columns.join()}`];
  return columns
    .filter((_, at) => table.rows[0]!.cells[at] !== cells[at])
    .map((name) => `cells ${kind} ${name.replace(/ \w+ \d$/, '')}`);
}

function differingPlaces(left: unknown, right: unknown, place: string): string[] {
  if (Object.is(left, right)) return [];
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return [place];
  if (Array.isArray(left) !== Array.isArray(right)) return [place];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) => {
    const [mine, other] = [left, right].map((side) => (side as Record<string, unknown>)[key]);
    return differingPlaces(
      mine,
      other,
      Array.isArray(left) ? `${place}[*]` : place === '' ? key : `${place}.${key}`,
    );
  });
}

const templates = /^(spec\.template\.spec|template\.spec|spec\.jobTemplate\.spec\.template\.spec)(?=\.|$)/;

/** The same place, whatever the list's index and the map's key, and whichever kind holds the pod. */
function general(place: string): string {
  return place.replaceAll(/\[[^\]]*\]/g, '[*]').replace(templates, 'POD');
}
