/**
 * The first ten minutes of somebody new, tried again: `npm run first-minutes -- [SUITE...]` takes each Debian (bookworm and
 * trixie when none is named) as debootstrap leaves it, with namespaces and a root file system of its own, clones the last commit
 * there, and types what README.md and the tutorial say. Needs root, the network, which it leads to by an address of its own
 * (198.18.0.0/15), and some minutes of each. What was on the terminal is in DIR/SUITE.log with `--out DIR`.
 */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freshRoot } from './first-minutes/fresh-root.ts';
import { ownNetwork } from './first-minutes/network.ts';

const repository = join(import.meta.dirname, '..');
const minutesMax = 40;
/** Authorities that this machine trusts beside the usual ones, as behind a proxy that looks inside. */
const authorities = '/etc/ssl/certs/ca-certificates.crt';

/** The first process of the namespaces makes the folder its root, and runs the newcomer's commands. */
const enter = `
mount --make-rprivate / && mount --bind "$1" "$1" && cd "$1"
mount -t proc proc proc && mount -t sysfs sysfs sys && mount --rbind /sys/fs/cgroup sys/fs/cgroup && mount --rbind /dev dev && mount -t tmpfs tmpfs run
hostname fresh
pivot_root . . && umount -l . && cd /
shift
exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=xterm LANG=C.UTF-8 "$@"`;

/** What README.md says is installed first, and the commands of its second terminal. */
function saidByReadme(): { packages: string; commands: string } {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  const packages = /`apt-get install ([^`]+)`/.exec(readme)?.[1];
  const commands = /^```\n(export KUBECONFIG=.*?)^```$/ms.exec(readme)?.[1];
  if (!packages || !commands)
    throw new Error('README.md does not say what to install and what to type any more');
  return { packages, commands };
}

/** Whether everything in it worked. */
function tryOut(suite: string, out: string | undefined): boolean {
  using network = ownNetwork();
  const root = mkdtempSync(join(tmpdir(), `wherry-first-${suite}-`));
  try {
    spawnSync('cp', ['-a', `${freshRoot(suite)}/.`, root], { stdio: 'inherit' });
    spawnSync('git', ['clone', '-q', '--bare', repository, join(root, 'wherry.git')], { stdio: 'inherit' });
    copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
    copyFileSync(join(import.meta.dirname, 'first-minutes/inside.sh'), join(root, 'inside.sh'));
    const { packages, commands } = saidByReadme();
    writeFileSync(join(root, 'commands'), commands);
    const words = ['bash', '/inside.sh', packages, '/commands'];
    if (process.env['NODE_EXTRA_CA_CERTS'] && existsSync(authorities)) {
      mkdirSync(join(root, 'usr/local/share/authorities'), { recursive: true });
      copyFileSync(authorities, join(root, 'usr/local/share/authorities/machine.crt'));
      words.unshift('NODE_EXTRA_CA_CERTS=/usr/local/share/authorities/machine.crt');
    }
    const namespaces = ['--mount', '--pid', '--uts', '--ipc', '--fork', '--kill-child'];
    const joined = ['nsenter', `--net=${network.path}`, 'unshare', ...namespaces];
    const inside = [...joined, 'bash', '-ec', enter, 'enter', root, ...words];
    const limit = ['--foreground', `${minutesMax}m`];
    const { status, stdout } = spawnSync('timeout', [...limit, ...inside], {
      stdio: ['ignore', out ? 'pipe' : 'inherit', 'inherit'],
      maxBuffer: 256 << 20,
    });
    if (out) {
      mkdirSync(out, { recursive: true });
      appendFileSync(join(out, `${suite}.log`), stdout);
    }
    return status === 0;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
const suites = positionals.length > 0 ? positionals : ['bookworm', 'trixie'];
const results = suites.map((suite) => ({ suite, worked: tryOut(suite, values.out) }));
for (const { suite, worked } of results)
  console.log(`${suite}: ${worked ? 'all of it works as shown' : 'FAILED'}`);
process.exitCode = results.every(({ worked }) => worked) ? 0 : 1;
