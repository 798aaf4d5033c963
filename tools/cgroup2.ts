/**
 * Runs the tests whose subject differs between cgroup versions in a virtual machine with pure cgroup v2 (see
 * tools/cgroup2-vm), with crun and with runc: everything that makes containers; `arm64` for the same on a machine of that
 * architecture, and `arm64-node` for a whole node there; `critest` for that suite (`CRITEST_FOCUS` narrows it down), `systemd` for control groups that systemd makes,
 * `swap`, `apparmor` (with the kernel's AppArmor on; needs Debian's package apparmor). Software emulation: expect minutes.
 *
 *   npm run test:cgroup2 -- [containers | arm64 | arm64-node | critest | systemd | swap | apparmor] [crun | runc]
 */
import { spawnSync } from 'node:child_process';

interface Suite {
  files: readonly string[];
  limitSeconds: number;
  /** Flags of tools/cgroup2-vm. */
  flags?: readonly string[];
}

const containers = [
  ...['packages/linux/src/**/*.test.ts', 'packages/monitor/src/*.test.ts'],
  ...['e2e/resources.test.ts', 'e2e/huge-pages.test.ts'],
];

const suitesByName: Readonly<Record<string, Suite>> = {
  containers: { files: containers, limitSeconds: 1800 },
  // What is assembled by hand for that architecture runs there: what holds containers, and what pauses in a pod.
  arm64: {
    files: [...containers, 'packages/monitor/test/exec.test.ts'],
    limitSeconds: 7200,
    flags: ['--arm64'],
  },
  // A whole node, by kubectl.
  'arm64-node': { files: ['e2e/demo.test.ts'], limitSeconds: 2400, flags: ['--arm64'] },
  critest: { files: ['conformance/critest.test.ts'], limitSeconds: 7200 },
  apparmor: { files: ['packages/runtime/test/apparmor.test.ts'], limitSeconds: 1800, flags: ['--apparmor'] },
  swap: { files: ['e2e/swap.long.test.ts'], limitSeconds: 1200 },
  systemd: { files: ['e2e/service/systemd-cgroups.long.test.ts'], limitSeconds: 1800 },
};
const [suite = 'containers', only] = process.argv.slice(2);
const chosen = suitesByName[suite];
if (!chosen) throw new Error(`suite "${suite}": want one of ${Object.keys(suitesByName).join(', ')}`);
const { files, limitSeconds, flags = [] } = chosen;
const ociRuntimes = ['crun', 'runc'];
const wanted = ociRuntimes.filter((name) => only === undefined || name === only);
const missing = wanted.filter((name) => spawnSync(name, ['--version']).error);
if (missing.length > 0)
  throw new Error(`not found in PATH: ${missing.join(', ')}; apt-get install ${missing.join(' ')}`);
/** How much longer everything may take in there. */
const slowness = 20;

/** The machine's files are copy-on-write in there: what is removed in the machine is removed for this run alone. */
function runInVm(ociRuntime: string): number {
  const others = ociRuntimes.filter((name) => name !== ociRuntime);
  const hide = others.map((name) => `rm -f "$(command -v ${name})"`).join('; ');
  const focus = process.env['CRITEST_FOCUS'];
  const environment = [`WHERRY_TEST_SLOWNESS=${slowness}`, 'WHERRY_JUDGES=built'];
  if (focus !== undefined) environment.push(`CRITEST_FOCUS='${focus.replaceAll("'", "'\\''")}'`);
  const command = `${hide}; export ${environment.join(' ')}; exec ${process.execPath} --test --test-concurrency=1 ${files.join(' ')}`;
  console.log(`cgroup v2 with ${ociRuntime}: ${command}`);
  const vm = ['tools/cgroup2-vm', '--timeout', String(limitSeconds), ...flags, '--', 'sh', '-c', command];
  return spawnSync('bash', vm, { stdio: 'inherit' }).status ?? 1;
}

if (suite === 'critest') {
  // There is no network in there, and to link them would take as long as the suite.
  const { buildCritest, buildEffectiveUid } = await import('../conformance/cri/judges.ts');
  const { buildGinkgo } = await import('../conformance/e2e/build.ts');
  await Promise.all([buildCritest(), buildEffectiveUid(), buildGinkgo()]);
}
const results = wanted.map((name) => ({ name, status: runInVm(name) }));
for (const { name, status } of results)
  console.log(`${name}: ${status === 0 ? 'passed' : `failed (${status})`}`);
process.exitCode = results.every(({ status }) => status === 0) ? 0 : 1;
