/** Our OpenAPI v2 document, read by the Go code that kubectl reads it with. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { renderSwagger, resources } from '@wherry/kubeapi';
import { buildGoPeer } from './peers/go-peer.ts';

interface Report {
  sameInBothForms: boolean;
  kinds: number;
  dryRun: number;
  fields: number;
  differences: string[];
}

const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
let report: Report;

before(async () => {
  const [json, protobuf] = (['json', 'protobuf'] as const).map((form) => {
    const path = join(folder, form);
    writeFileSync(path, renderSwagger({ served: resources, version: 'v1.2.3' }, form).body);
    return path;
  });
  report = JSON.parse(
    execFileSync(await buildGoPeer('openapijudge'), [json!, protobuf!], { encoding: 'utf8' }),
  );
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('JSON and protobuf say the same', () => {
  assert.ok(report.sameInBothForms);
});

test('every kind that is served is found by its name, with the fields, types, merge keys and strategies of Go', () => {
  assert.deepEqual(report.differences, []);
  assert.ok(report.kinds >= resources.length, `${report.kinds} kinds`);
  assert.ok(report.fields > 1_000, `${report.fields} fields`);
});

const strangers = new Set(['apiregistration.k8s.io', 'apiextensions.k8s.io']);

test('kinds that can be patched know a dry run', () => {
  const patched = new Set(
    resources
      .flatMap((entry) => [entry, ...(entry.subresources ?? [])])
      // Go's client scheme has neither aggregated APIs nor definitions of custom resources.
      .filter(({ verbs, group }) => verbs.includes('patch') && !strangers.has(group))
      .map(({ group, version, kind }) => `${group}/${version}/${kind}`),
  );
  assert.equal(report.dryRun, patched.size);
});
