/**
 * Runs the tests whose subject differs between cgroup versions in a virtual machine with pure cgroup v2 (see
 * tools/cgroup2-vm): everything that makes containers, with crun and with runc. Software emulation: expect minutes.
 */
import { spawnSync } from 'node:child_process';

const limitSeconds = 1800;
const suites = ['packages/linux/src/**/*.test.ts', 'packages/monitor/src/*.test.ts', 'e2e/resources.test.ts'];
const ociRuntimes = ['crun', 'runc'];
/** How much longer everything may take in there. */
const slowness = 20;

/** The machine's files are copy-on-write in there: what is removed in the machine is removed for this run alone. */
function runInVm(ociRuntime: string): number {
  const others = ociRuntimes.filter((name) => name !== ociRuntime);
  const hide = others.map((name) => `rm -f "$(command -v ${name})"`).join('; ');
  const command = `${hide}; export WHERRY_TEST_SLOWNESS=${slowness}; exec ${process.execPath} --test --test-concurrency=1 ${suites.join(' ')}`;
  console.log(`cgroup v2 with ${ociRuntime}: ${command}`);
  const vm = ['tools/cgroup2-vm', '--timeout', String(limitSeconds), '--', 'sh', '-c', command];
  return spawnSync('bash', vm, { stdio: 'inherit' }).status ?? 1;
}

const results = ociRuntimes.map((name) => ({ name, status: runInVm(name) }));
for (const { name, status } of results)
  console.log(`${name}: ${status === 0 ? 'passed' : `failed (${status})`}`);
process.exitCode = results.every(({ status }) => status === 0) ? 0 : 1;
