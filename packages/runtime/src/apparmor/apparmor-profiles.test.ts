import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { AppArmorProfiles } from './apparmor-profiles.ts';
import { defaultProfileName } from './default-profile.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-apparmor-'));
const calls = join(folder, 'calls');
const path = process.env['PATH'];
after(() => {
  process.env['PATH'] = path;
  rmSync(folder, { recursive: true });
});

/** Makes an apparmor_parser that notes its calls and ends so. */
function install(ending: string): void {
  const programs = join(folder, 'bin');
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(programs, 'apparmor_parser'), `#!/bin/sh\necho called >> '${calls}'\n${ending}\n`, {
    mode: 0o755,
  });
  process.env['PATH'] = `${programs}:${path}`;
}

test('an apparmor_parser that does not work is tried once a minute, not by each container', async () => {
  writeFileSync(join(folder, 'profiles'), 'mine (enforce)\n');
  const clock = new FakeClock();
  const profiles = new AppArmorProfiles({ clock, logger: silentLogger, kernelFolder: folder });
  const called = () => readFileSync(calls, 'utf8').split('\n').length - 1;
  install('echo broken >&2; exit 1');
  for (let container = 0; container < 3; container++) {
    const { loaded, defaultProblem } = await profiles.atHand();
    assert.deepEqual([...(loaded ?? [])], ['mine']);
    assert.match(defaultProblem ?? '', /does not load it: broken/);
  }
  assert.equal(called(), 1);
  install('exit 0');
  assert.match((await profiles.atHand()).defaultProblem ?? '', /broken/);
  clock.advance(limits.profileRetryMs);
  const { loaded, defaultProblem } = await profiles.atHand();
  assert.deepEqual([loaded?.has(defaultProfileName), defaultProblem], [true, undefined]);
  assert.equal(called(), 2);
});
