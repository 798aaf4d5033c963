import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BesideKubectl } from './beside-kubectl.ts';
import { lines, withProfiles } from './lines.ts';

const profiles = ['general', 'baseline', 'restricted', 'netadmin', 'sysadmin'];

/** Tests that `wherry debug` says and stores what a kubectl does; `program` answers the path of one, of this minor version. */
export function testDebugLines(minor: number, program: () => Promise<string>, skip: string | false): void {
  let beside: BesideKubectl;

  before(async () => {
    if (skip === false) beside = await BesideKubectl.start(await program(), minor);
  });
  after(() => beside?.close());

  for (const profile of profiles) {
    test(`debug --profile=${profile} makes what kubectl makes of pods, copies and nodes`, {
      skip,
    }, async () => {
      for (const line of withProfiles) {
        const { theirs, ours } = await beside.both(`debug --profile=${profile} ${line}`);
        assert.equal(theirs.code, 0, theirs.stderr);
        assert.deepEqual(ours, theirs, line);
      }
    });
  }

  test('debug --profile=legacy does, too, and is told to go', { skip }, async () => {
    for (const line of withProfiles) {
      const { theirs, ours } = await beside.both(`debug --profile=legacy ${line}`);
      for (const { stderr } of [theirs, ours]) assert.match(stderr, /^--profile=legacy is deprecated/);
      assert.deepEqual({ ...ours, stderr: '' }, { ...theirs, stderr: '' }, line);
    }
  });

  for (const [what, all] of Object.entries(lines)) {
    for (const line of all) {
      test(`${what} as kubectl has it: debug ${line}`, { skip }, async () => {
        const [words, behind] = line.split(' -- ');
        const profile = line.includes('--profile') ? '' : ' --profile=general';
        const command = `debug ${words}${profile}${behind ? ` -- ${behind}` : ''}`;
        const { theirs, ours } = await beside.both(command);
        assert.deepEqual(ours, theirs);
      });
    }
  }
}
