/** Every flag of upstream's programs is taken by ours, or refused with what is so instead. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { readRoleLine } from '../../packages/node/test/role-line.ts';
import { buildUpstream, type UpstreamProgram } from './build.ts';

const run = promisify(execFile);

/** The commands that stand in their place. */
const roles: Partial<Record<UpstreamProgram, string>> = {
  'kube-apiserver': 'apiserver',
  'kube-controller-manager': 'controllers',
  'kube-scheduler': 'scheduler',
  'kube-proxy': 'network',
  kubelet: 'kubelet',
};

for (const [program, role] of Object.entries(roles))
  it(`each flag of ${program} is taken, or refused with a reason`, async () => {
    const { stdout } = await run(await buildUpstream(program as UpstreamProgram), ['--help']);
    const flags = [...stdout.matchAll(/^ +(?:-\w, )?--([a-z0-9-]+)/gm)].map(([, name = '']) => name);
    assert.ok(flags.length > 50, `${flags.length} flags`);
    const isUnknown = (flag: string) => /unknown option/.test(readRoleLine(role, [`--${flag}=1`]).said);
    assert.ok(isUnknown('no-such-flag'));
    const unknown = flags.filter((name) => name !== 'help' && name !== 'version' && isUnknown(name));
    assert.deepEqual(unknown, []);
  });
