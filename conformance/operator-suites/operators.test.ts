/**
 * Suites of known operators, as they stand, on the programs of `wherry envtest`: their controllers and webhooks beside an API server
 * alone. With `KUBEBUILDER_ASSETS` they judge the programs in that folder, by which what is known to fail can be looked at again.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { wherryEntry } from '../../e2e/node.ts';
import { surprises } from '../envtest/outcome.ts';
import { play } from '../envtest/play.ts';
import { OperatorCopy } from './operator-copy.ts';
import { operators } from './operators.ts';

let folder: string;
let assets: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wherry-operator-suites-'));
  assets = process.env['KUBEBUILDER_ASSETS'] ?? join(folder, 'bin');
  if (!process.env['KUBEBUILDER_ASSETS'])
    await promisify(execFile)(process.execPath, [wherryEntry, 'envtest', '--out', assets]);
});
after(() => rm(folder, { recursive: true, force: true }));

for (const operator of operators) {
  const { module, suites } = operator;
  describe(`${module.path} ${module.version}`, () => {
    let copy: OperatorCopy;
    before(
      async () => {
        copy = await OperatorCopy.make(operator);
      },
      { timeout: 300_000 },
    );
    after(() => copy?.[Symbol.asyncDispose]());

    for (const suite of suites)
      test(suite.folder, { timeout: 1_800_000 }, async () => {
        const program = await copy.build(suite.folder);
        const built = { program, cwd: copy.folderOf(suite.folder), runner: suite.runner };
        const { outcome, said } = await play(built, { assets, folder });
        const found = surprises(outcome, suite.known ?? {});
        if (Object.values(found).some(({ length }) => length > 0)) console.log(said.slice(-20_000));
        assert.deepEqual(found, { unknown: [], gone: [] });
        assert.equal(outcome.passed.length, suite.passed, 'so many pass');
      });
  });
}
