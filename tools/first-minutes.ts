/**
 * The first ten minutes of somebody new, tried again: `npm run first-minutes -- [SUITE...]` takes each Debian (bookworm and
 * trixie when none is named) as debootstrap leaves it, with namespaces and a root file system of its own, clones the last commit
 * there, and types what README.md and the tutorial say. Needs root, the network and some minutes of each; the machine's ports
 * 6443 and 10250 have to be free. What was on the terminal is in DIR/SUITE.log with `--out DIR`.
 */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
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

const repository = join(import.meta.dirname, '..');
const minutesMax = 40;
const mirror = 'http://deb.debian.org/debian';
/** Authorities that this machine trusts beside the usual ones, as behind a proxy that looks inside. */
const authorities = '/etc/ssl/certs/ca-certificates.crt';

/** The first process of the namespaces makes the folder its root, and runs the newcomer's commands. */
const enter = `
mount --make-rprivate / && mount --bind "$1" "$1" && cd "$1"
mount -t proc proc proc && mount --rbind /sys sys && mount --rbind /dev dev && mount -t tmpfs tmpfs run
hostname fresh
pivot_root . . && umount -l . && cd /
shift
exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=xterm LANG=C.UTF-8 "$@"`;

/** A Debian that nothing was installed on, of which copies are made. */
function freshRoot(suite: string): string {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? '/var/cache', 'wherry-first-minutes');
  const root = join(cache, suite);
  if (existsSync(root)) return root;
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(join(cache, `${suite}-`));
  const { status, error } = spawnSync('debootstrap', ['--variant=minbase', suite, making, mirror], {
    stdio: 'inherit',
  });
  if (status !== 0)
    throw new Error(`debootstrap (apt-get install debootstrap): ${error?.message ?? `ended with ${status}`}`);
  cpSync(making, root, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  rmSync(making, { recursive: true });
  return root;
}

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
    const inside = ['unshare', ...namespaces, 'bash', '-ec', enter, 'enter', root, ...words];
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
