import assert from 'node:assert/strict';
import type { KubeObject } from '@wherry/client';
import type { ManagedFieldsEntry } from '@wherry/kubeapi';
import type { Ended } from '../in-process.ts';
import { Served } from './served.ts';

/** Two API servers with the same objects: the same lines are typed at the real kubectl and at wherry, each in front of its own. */
export class BesideKubectl {
  readonly kubectl: Served;
  readonly wherry: Served;

  private constructor(kubectl: Served, wherry: Served) {
    this.kubectl = kubectl;
    this.wherry = wherry;
  }

  static async start(objects: readonly KubeObject[]): Promise<BesideKubectl> {
    const both = new BesideKubectl(await Served.start(), await Served.start());
    for (const object of objects)
      for (const one of [both.kubectl, both.wherry])
        await one.client.create(object, { fieldManager: 'test' });
    return both;
  }

  /** Writes objects into a file of both, under the path that lines name. */
  file(name: string, ...objects: object[]): string {
    return this.kubectl.file(name, ...objects);
  }

  /** Fails where they say something else, or end otherwise. `own` is what wherry is told where that differs. */
  async typeLine(line: string, own = line): Promise<void> {
    const theirs = await this.kubectl.server.kubectl(line.split(' '));
    const ours = await this.wherry.run(own);
    assertAlike(ours, theirs, line);
  }

  /** As {@link typeLine}, in a process of its own, whose standard input says `input`. */
  async typeInto(line: string, input: string): Promise<void> {
    const words = line.split(' ');
    const theirs = await this.kubectl.server.kubectl(words, { input });
    const ours = await this.wherry.spawn(words, input);
    assertAlike(ours, theirs, line);
  }

  /** Fails where objects of these kinds differ, but for what is new in each cluster. */
  async compareObjects(...kinds: string[]): Promise<void> {
    for (const kind of kinds) {
      const [theirs, ours] = await Promise.all([objectsOf(this.kubectl, kind), objectsOf(this.wherry, kind)]);
      assert.deepEqual(ours, theirs, kind);
    }
  }

  async close(): Promise<void> {
    await this.kubectl.close();
    await this.wherry.close();
  }
}

function assertAlike(ours: Ended, theirs: Ended, line: string): void {
  // kubectl before 1.34 does not say which namespace something was deleted from, and asks with a small n.
  const saysWhere = / from \S+ namespace/.test(theirs.stdout);
  const stdout = saysWhere
    ? ours.stdout
    : ours.stdout.replace(/(?<=" (force )?deleted) from \S+ namespace/g, '');
  const question = theirs.stdout.replace('(y/n)', '(y/N)');
  assert.deepEqual(comparable({ ...ours, stdout }), comparable({ ...theirs, stdout: question }), line);
}

/** Objects that are printed are compared by what they say. Lines end as they should; empty ones may differ. */
function comparable({ code, stdout, stderr }: Ended) {
  const told = stderr.replaceAll('kubectl', 'wherry').trimEnd();
  const shown = stdout.startsWith('{')
    ? printed(JSON.parse(stdout, withoutNoTime))
    : // One is typed a moment after the other.
      stdout.replace(/ +(\d+m)?\d+s(?= |$)/gm, ' AGE');
  return { code, stdout: shown, stderr: told };
}

const printed = (value: KubeObject | { items: KubeObject[] }) =>
  'items' in value ? { ...value, items: value.items.map(bare) } : bare(value);

/** kubectl before 1.34 prints times that are not set. */
const withoutNoTime = (key: string, value: unknown) =>
  key === 'creationTimestamp' && value === null ? undefined : value;

async function objectsOf({ client }: Served, kind: string): Promise<unknown[]> {
  const objects: unknown[] = [];
  for await (const object of client.list<KubeObject>(kind, { allNamespaces: true })) {
    if (!isOfCluster(kind, object)) objects.push(bare(object));
  }
  return objects;
}

/** What each cluster has made for itself: its certificates, and the service that tells its port. */
const isOfCluster = (kind: string, { metadata }: KubeObject): boolean =>
  (metadata?.namespace ?? '').startsWith('kube-') || (kind === 'Service' && metadata?.name === 'kubernetes');

/** Without what no two clusters have alike; managers are named as in kubectl. */
function bare(object: KubeObject): unknown {
  const {
    uid: _uid,
    resourceVersion: _version,
    creationTimestamp: _time,
    managedFields,
    annotations,
    ...rest
  } = object.metadata ?? {};
  const managers = managedFields
    ?.map(({ time: _, manager = '', ...managed }) => ({
      ...managed,
      manager: manager.replace('kubectl', 'wherry'),
    }))
    // A server orders them by second, then by name: by how quick a machine is, and by whether it is kubectl's name or ours.
    .sort((one, other) => keyOf(one).localeCompare(keyOf(other)));
  return {
    ...object,
    metadata: {
      ...rest,
      ...(annotations ? { annotations: withoutProgram(annotations) } : {}),
      ...(managers ? { managedFields: managers } : {}),
    },
  };
}

/** Apply sets say which version of kubectl wrote them, and recorded lines which program, which asks by its environment. */
function withoutProgram(annotations: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(annotations).map(([key, said]) => [
    key,
    key === 'applyset.kubernetes.io/tooling'
      ? said.replace(/\/v1\..*/, '')
      : said.replace(/\bkubectl (?=[a-z])/, 'wherry ').replace(/ --kubeconfig=[^ "\\]+/, ''),
  ]);
  return Object.fromEntries(entries);
}

/** What tells the entries of one object apart. */
const keyOf = ({ manager, operation, subresource, apiVersion }: ManagedFieldsEntry): string =>
  [manager, operation, subresource, apiVersion].join();
