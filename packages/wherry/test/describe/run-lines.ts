import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestServer } from '../../../apiserver/test/test-server.ts';
import type { Ended } from '../in-process.ts';
import { Beside, type DescribedServer, described, lineOf } from './beside.ts';
import { refusedLines, severalLines } from './lines.ts';

/** The minor version of the kubectl that wherry's descriptions are those of. */
const sameMinor = 36;

/** Kinds of which older kubectls tell less, or in another order. */
const kindsChanged = new Set([
  ...['ConfigMap', 'CronJob', 'DaemonSet', 'IPAddress', 'Node', 'Secret', 'Service', 'ServiceAccount'],
  ...['ServiceCIDR', 'VolumeAttributesClass'],
]);

/** What older kubectls have otherwise of a pod: names of ports, what is optional, and which container an event is about. */
const withoutChanges = (text: string): string =>
  text
    .replace(/(?<=\/(TCP|UDP)) \(\w+\)/g, '')
    .replace(/ spec\.containers\{\w+\}:/g, '')
    .replace(/^ *\w*Optional\w*:.*\n/gm, '')
    .replace(/(?<=\S) +/g, ' ');

/** What descriptions are compared with, and where. */
export interface DescriptionJudge {
  minor: number;
  /** Answers the path of a kubectl of that minor version. */
  kubectl(): Promise<string>;
  /** Default: our API server. */
  serve?(): Promise<DescribedServer>;
  skip?: string | false;
}

/** Tests that `wherry describe` says what a kubectl says, of objects of one API server. */
export function testDescriptions({ minor, kubectl, serve, skip = false }: DescriptionJudge): void {
  const isSame = minor >= sameMinor;
  let beside: Beside;

  before(async () => {
    if (skip !== false) return;
    const program = await kubectl();
    beside = await Beside.start(await (serve?.() ?? TestServer.start()), program);
  });
  after(() => beside?.close());

  async function saysTheSame(line: string): Promise<void> {
    const { theirs, ours } = await beside.both(line);
    const comparable = ({ code, stdout, stderr }: Ended) => ({
      ...{ code, stderr },
      lines: (isSame ? stdout : withoutChanges(stdout)).split('\n'),
    });
    assert.deepEqual(comparable(ours), comparable(theirs), line);
  }

  const byKind = Map.groupBy(described, ({ object }) => object.kind ?? '');
  for (const [kind, all] of byKind) {
    const isChanged = !isSame && kindsChanged.has(kind) ? `kubectl 1.${minor} tells it otherwise` : false;
    test(`describe tells of a ${kind} what kubectl tells`, { skip: skip || isChanged }, async () => {
      for (const { object } of all) await saysTheSame(`describe ${lineOf(object)}`);
    });
  }

  const unlessSame = skip || (!isSame && `kubectl 1.${minor} tells it otherwise`);

  test('describe of a custom resource tells its fields as kubectl does', { skip: unlessSame }, () =>
    saysTheSame('describe thing rich'),
  );

  for (const [what, lines] of Object.entries(severalLines)) {
    test(`${what}, as at kubectl`, { skip: unlessSame }, async () => {
      for (const line of lines) await saysTheSame(line);
    });
  }

  test('describe goes on, says so or fails where a user may not read what stands around an object, as at kubectl', {
    skip: unlessSame,
  }, async () => {
    for (const line of refusedLines) await saysTheSame(line);
  });
}
