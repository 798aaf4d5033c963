/**
 * The cases that OpenShift writes beside its definitions (schemas with formats, lists by keys, rules in CEL), at our API server and at
 * Kubernetes' own: objects are created, updated, get a status and are applied over, and both answer the same in the same words.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CustomResourceDefinition, JsonObject } from '@wherry/kubeapi';
import { eventually } from '../../e2e/node.ts';
import { parsed } from './compare-answers.ts';
import { type Answered, type Asked, TwoServers } from './two-servers.ts';
import { type Described, openshiftCases, type WrittenCase } from './written-cases.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const described = await openshiftCases();
/** What is not stored of a body, its status, holds a value of another type: upstream refuses to apply it. */
const ofNoAccount: ReadonlySet<string> = new Set([
  'InsightsOnDemandDataGather.yaml: lastGatherSeconds cannot be updated with an invalid value, applied',
]);
const counts = { answers: 0, refusals: 0 };

let two: TwoServers;
before(async () => {
  two = await TwoServers.start({ port: 16_497, etcdPort: 23_910 });
});
after(() => two?.close());

interface Document {
  reason?: string;
  message?: string;
  metadata?: JsonObject;
  details?: { causes?: object[] };
}
interface Settled {
  code: number;
  body: Document;
  warning: string | string[] | undefined;
}

/** What both have to say alike: upstream finds what is wrong in another order each time, and answers 500 to items that are there twice. */
function settledAnswer({ code, text, headers }: Answered): Settled {
  const body = parsed(text) as Document;
  const { causes } = body.details ?? {};
  if (causes) {
    causes.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
    body.message = body.message?.replace(/ is invalid: .*/s, ' is invalid');
  }
  const isTwice = code === 500 && body.message?.includes('duplicate entries for key');
  if (isTwice) Object.assign(body, { code: 400, reason: 'BadRequest' });
  return { code: isTwice ? 400 : code, body, warning: headers['warning'] };
}

/** Asks each server for what belongs to it, and compares. */
async function compare(
  what: string,
  requests: readonly [Asked, Asked],
  differences: string[],
): Promise<Answered[]> {
  const answers = await Promise.all(requests.map((asked, at) => two.ask(two.urls[at]!, asked)));
  counts.answers++;
  if (answers.every(({ code }) => code >= 400)) counts.refusals++;
  const [ours, theirs] = answers.map(settledAnswer) as [Settled, Settled];
  // Upstream forgets managers where what is not stored of a body (its status) has another type.
  if (theirs.body.metadata && !theirs.body.metadata['managedFields'])
    delete ours.body.metadata?.['managedFields'];
  if (ofNoAccount.has(what)) return answers;
  try {
    assert.deepEqual(ours, theirs);
  } catch (error) {
    differences.push(`${what}: ${(error as Error).message}`);
  }
  return answers;
}

const alike = (asked: Asked): [Asked, Asked] => [asked, asked];
const metadataOf = ({ text }: Answered): JsonObject => JSON.parse(text).metadata;

function pathOf({ spec }: CustomResourceDefinition, apiVersion: string): string {
  const namespace = spec?.scope === 'Namespaced' ? 'namespaces/default/' : '';
  return `/apis/${apiVersion}/${namespace}${spec?.names?.plural}`;
}

async function play(
  definition: CustomResourceDefinition,
  each: WrittenCase,
  differences: string[],
): Promise<void> {
  const metadata = { name: 'cluster', ...(each.initial['metadata'] as object) };
  const initial: JsonObject = { ...each.initial, metadata };
  const path = pathOf(definition, String(initial['apiVersion']));
  const at = `${path}/${metadata.name}`;
  let last = await compare(each.name, alike({ method: 'POST', path, body: initial }), differences);
  if (last.some(({ code }) => code !== 201)) return;
  const put = async (what: string, to: string, body: JsonObject) => {
    const requests = last.map((answer) => {
      return {
        method: 'PUT',
        path: to,
        body: { ...body, metadata: { ...metadataOf(answer), ...(body['metadata'] as object) } },
      };
    }) as [Asked, Asked];
    const answers = await compare(`${each.name}, ${what}`, requests, differences);
    if (answers.every(({ code }) => code === 200)) last = answers;
  };
  const { updated } = each;
  if (updated) {
    const next = {
      ...updated,
      metadata: { ...(updated['metadata'] as object), name: metadata.name },
    };
    if (initial['status']) await put('its first status', `${at}/status`, initial);
    await put('updated', at, next);
    if (updated['status']) await put('its status', `${at}/status`, next);
  }
  const { metadata: given, ...content } = updated ?? each.initial;
  const body = { ...content, metadata: { ...(given as object), name: metadata.name } };
  const type = 'application/apply-patch+yaml';
  const applied = { method: 'PATCH', path: `${at}?fieldManager=x&force=true`, type, body };
  await compare(`${each.name}, applied`, alike(applied), differences);
  await Promise.all(two.urls.map((url) => two.ask(url, { method: 'DELETE', path: at })));
}

/** Whether it is there at both, as its conditions say. */
async function isEstablished(name: string): Promise<boolean> {
  const answers = await Promise.all(
    two.urls.map((url) => two.ask(url, { method: 'GET', path: `${definitions}/${name}` })),
  );
  const conditions = answers.map(({ text }) => JSON.parse(text).status?.conditions ?? []);
  return conditions.every((list: { type: string; status: string }[]) =>
    list.some(({ type, status }) => type === 'Established' && status === 'True'),
  );
}

async function judge(name: string, { definition, cases }: Described): Promise<void> {
  const differences: string[] = [];
  for (const url of two.urls) {
    const { code, text } = await two.ask(url, { method: 'POST', path: definitions, body: definition });
    assert.equal(code, 201, text);
  }
  await eventually('the definition', () => isEstablished(name));
  const versions = definition.spec?.versions?.filter(({ served }) => served) ?? [];
  for (const { name: version } of versions)
    await eventually('its objects', async () => {
      const path = pathOf(definition, `${definition.spec?.group}/${version}`);
      const answers = await Promise.all(two.urls.map((url) => two.ask(url, { method: 'GET', path })));
      return answers.every(({ code }) => code === 200);
    });
  for (const each of cases) await play(definition, each, differences);
  await Promise.all(
    two.urls.map((url) => two.ask(url, { method: 'DELETE', path: `${definitions}/${name}` })),
  );
  assert.equal(differences.length, 0, differences.join('\n\n'));
}

for (const [name, each] of described) test(name, { timeout: 300_000 }, () => judge(name, each));

test('there are thousands of answers, many of them refusals', () => {
  assert.ok(counts.answers > 2_500 && counts.refusals > 800, JSON.stringify(counts));
});
