/** Answers in all forms, opened with upstream's own Go types. */

import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  isJsonObject,
  type JsonObject,
  ownValue,
  parseText,
  writeYaml,
  type YamlValue,
} from '@wherry/kubeapi';
import { areBuilt } from '../../peers/are-built.ts';
import { buildGoPeer } from '../../peers/go-peer.ts';
import { Judge } from '../../peers/kubeapi-judge.ts';
import { parseAnswer } from '../chance/settled-answers.ts';
import type { Answered } from '../two-servers.ts';

/** What the judge makes of an object in protobuf. */
interface Opened {
  /** Of a watch's event. */
  type?: string;
  object?: JsonObject;
  /** What upstream would have written otherwise. */
  complaint?: string;
}

interface Verdict {
  error?: string;
  opened?: Opened[];
}

/** Reads answers by their Content-Type; has a process of its own. */
export class AnswerReader {
  readonly #judge: Judge<Verdict>;

  private constructor(binary: string) {
    this.#judge = new Judge(binary);
  }

  static async create(): Promise<AnswerReader> {
    const built = join(import.meta.dirname, '../../bin/kubeapijudge');
    return new AnswerReader(areBuilt ? built : await buildGoPeer('kubeapijudge'));
  }

  /** The objects of an answer; behind them what else both servers should write alike. */
  async open({ headers, bytes }: Answered): Promise<unknown[]> {
    const body = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    const type = String(headers['content-type'] ?? '');
    if (type.startsWith('application/vnd.kubernetes.protobuf')) return this.#protobuf(body, type);
    const text = body.toString();
    if (type.startsWith('application/yaml')) return openYaml(body, text);
    return inOrder(parseAnswer(text).filter(isTold).map(withoutFilling));
  }

  async #protobuf(body: Buffer, type: string): Promise<unknown[]> {
    const format = type.includes('stream=watch') ? 'frames' : 'object';
    const { error, opened = [] } = await this.#judge.ask({
      ...{ op: 'open', format, protobuf: body.toString('base64') },
    });
    if (error !== undefined) return [{ error }];
    const complaints = opened.flatMap(({ complaint = [] }) => complaint);
    const objects = format === 'object' ? opened.map(({ object }) => object) : opened.map(withoutComplaint);
    return [
      ...inOrder(objects.filter(isTold).map(withoutFilling)),
      ...complaints.map((complaint) => ({ complaint })),
    ];
  }

  close(): void {
    this.#judge.close();
  }
}

/** False for bookmarks that come when their time is there. */
function isTold(event: unknown): boolean {
  if (!isJsonObject(event) || event['type'] !== 'BOOKMARK') return true;
  return JSON.stringify(event).includes('k8s.io/initial-events-end');
}

/** Of a bookmark's object clients read the metadata alone; upstream writes what every new object of the type has. */
function withoutFilling(event: unknown): unknown {
  if (!isJsonObject(event) || event['type'] !== 'BOOKMARK' || !isJsonObject(event['object'])) return event;
  const { kind, apiVersion, metadata = {} } = event['object'];
  return kind === 'Table' ? event : { ...event, object: { kind, apiVersion, metadata } };
}

/** What both write in YAML has to be what our writer makes of it: the order of keys, quotes, where lines are broken. */
function openYaml(body: Buffer, text: string): unknown[] {
  const document = parseText(body, 'yaml');
  const again = writeYaml(document as YamlValue);
  return again === text ? [document] : [document, { complaint: `${text}, not ${again}` }];
}

/** The same with the objects that a watch begins with in the order of their names: upstream has them from a map. */
function inOrder(events: readonly unknown[]): unknown[] {
  const end = events.findIndex((event) => !isFirst(event));
  const first = end === -1 ? events : events.slice(0, end);
  const rest = end === -1 ? [] : events.slice(end);
  return [...first.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1)), ...rest];
}

/** Of Tables the first has the columns. */
const isFirst = (event: unknown) =>
  isJsonObject(event) &&
  event['type'] === 'ADDED' &&
  ownValue(asObject(event['object']), 'rows') === undefined;

const nameOf = (event: unknown) =>
  String(ownValue(asObject(ownValue(asObject(ownValue(asObject(event), 'object')), 'metadata')), 'name'));

const asObject = (value: unknown) => (isJsonObject(value) ? value : {});

const withoutComplaint = ({ complaint: _, ...event }: Opened) => event;
