/** What `npm run release` makes, installed where nothing of this repository is. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeTarballs, oversized, type Tarball } from '../../tools/release/tarballs.ts';
import { membersOn } from '../../tools/release/workspace.ts';
import { compilerOf, Project, programsOfNode } from './project.ts';

const root = join(import.meta.dirname, '../..');
let tarballs: Tarball[];
let out: string;

before(async () => {
  out = mkdtempSync(join(tmpdir(), 'wherry-tarballs-'));
  tarballs = await makeTarballs(root, out);
});
after(() => rmSync(out, { recursive: true, force: true }));

it('no tarball is larger than its package.json allows', () => {
  assert.deepEqual(oversized(tarballs), []);
});

it('the same sources give the same tarballs, whoever makes them', async () => {
  const before = process.umask(0o077);
  try {
    const again = await makeTarballs(root, join(out, 'again'));
    const digests = (made: readonly Tarball[]) => made.map(({ digest }) => digest.sha256);
    assert.deepEqual(digests(again), digests(tarballs));
  } finally {
    process.umask(before);
  }
});

/** Every entry of packages, as a consumer names it. */
const entriesOf = (packages: readonly Tarball[]) =>
  packages.flatMap(({ manifest }) =>
    Object.keys(manifest.exports ?? {}).map((key) => `${manifest.name}${key.slice(1)}`),
  );

/** Types that are more than `any`, and a stream that runs. */
const consumer = `
import { channelPair, collect } from '@wherry/bytes';
import type { Pod } from '@wherry/kubeapi';
const [near, far] = channelPair();
// @ts-expect-error A channel takes bytes.
if (process.argv.length > 9) near.write('text');
near.write(new TextEncoder().encode('through'));
near.end();
const pod: Pod = { metadata: { name: 'a' }, spec: { containers: [] } };
// @ts-expect-error A pod has no such field.
pod.spec.containerz = [];
console.log(new TextDecoder().decode(await collect(far)), pod.metadata?.name);
`;

for (const major of [22, 24, 26]) {
  describe(`packages that say they run on Node ${major}`, () => {
    let project: Project;
    let packages: Tarball[];
    before(async () => {
      packages = membersOn(tarballs, major);
      assert.ok(packages.length >= 11);
      project = new Project(await programsOfNode(major));
      await project.install(packages);
    });
    after(() => project.remove());

    it('are imported by JavaScript', async () => {
      const lines = entriesOf(packages).map((entry) => `await import('${entry}');`);
      project.write('imports.js', [...lines, 'console.log(process.versions.node);'].join('\n'));
      assert.equal((await project.run('node', 'imports.js')).split('.')[0], String(major));
    });

    it('have types that a strict consumer compiles against, and what it compiles runs', async () => {
      const lines = entriesOf(packages).map(
        (entry, index) => `import type * as entry${index} from '${entry}';\nexport type { entry${index} };\n`,
      );
      project.write('consumer.ts', lines.join('') + consumer);
      await project.compile('consumer.ts');
      assert.equal(await project.run('node', 'consumer.js'), 'through a\n');
    });

    it('have types for TypeScript 5.6, the oldest that the types of Node are for', async () => {
      const lines = entriesOf(packages).map(
        (entry, index) => `import type * as entry${index} from '${entry}';\nexport type { entry${index} };\n`,
      );
      project.write('older.ts', lines.join(''));
      // It reads JSON where it is told to, and knows no ES2024 as one target.
      const older = { target: 'es2022', lib: ['esnext'], resolveJsonModule: true };
      await project.compile('older.ts', older, await compilerOf('5.6'));
    });

    it('are bundled for Node, and required where modules are CommonJS', async () => {
      const names = ['@wherry/client', '@wherry/remotecommand', '@wherry/portforward'];
      const text = names.map((name) => `console.log(Object.keys(require('${name}')).length > 2);`).join('\n');
      project.write('required.cjs', text);
      const said = 'true\n'.repeat(names.length);
      assert.equal(await project.run('node', 'required.cjs'), said);
      await project.bundle('required.cjs', 'bundled.cjs');
      assert.equal(await project.run('node', 'bundled.cjs'), said);
    });

    it('have a client for bundlers of browsers, whose types stand on no part for Node', async () => {
      const text = "import { createApiClient } from '@wherry/client';\n";
      project.write(
        'page.ts',
        `${text}createApiClient({ server: 'https://example.com', token: 't' }).list('Pod');\n`,
      );
      const page = {
        module: 'esnext',
        moduleResolution: 'bundler',
        customConditions: ['browser'],
        types: [],
      };
      await project.compile('page.ts', { ...page, lib: ['es2024', 'dom', 'esnext.disposable'] });
    });

    if (major < 24) return;

    describe('bring up a node with npx', () => {
      const dataDir = () => join(project.folder, 'node');
      const npx = (...words: string[]) => project.run('npx', 'wherry', ...words);
      const up = (...words: string[]) =>
        npx('up', '--data-dir', dataDir(), ...'--api-port 0 --kubelet-port 0 --detach'.split(' '), ...words);
      const programOf = async (role: string) => {
        const { processes } = JSON.parse(await npx('status', '--data-dir', dataDir(), '--json'));
        const { pid } = processes.find((one: { role: string }) => one.role === role);
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
          .split('\0')
          .find((word) => word.includes('main.js'));
      };
      after(async () => {
        await npx('down', '--data-dir', dataDir(), '--purge');
        assert.ok(!existsSync(dataDir()));
      });

      it('and a pod to exec into, from the bundle that came along', async () => {
        await up('--demo');
        const flags = ['--kubeconfig', join(dataDir(), 'kubeconfig')];
        const said = await npx('exec', ...flags, 'demo', '--', 'sh', '-c', 'echo from $(hostname)');
        assert.equal(said, 'from demo\n');
        assert.match((await programOf('kubelet'))!, /node_modules\/@wherry\/node\/bundle\/main\.js$/);
      });

      it('from each package as it is, once one is patched', async () => {
        const manifest = join(project.folder, 'node_modules/@wherry/kubelet/package.json');
        const before = readFileSync(manifest, 'utf8');
        writeFileSync(manifest, JSON.stringify({ ...JSON.parse(before), version: '0.1.1' }));
        await npx('down', '--data-dir', dataDir());
        await up();
        assert.match((await programOf('kubelet'))!, /node_modules\/@wherry\/node\/dist\/main\.js$/);
      });
    });

    it('say in one line which Node they need to one that is older', async () => {
      const old = join(await programsOfNode(22), 'node');
      await assert.rejects(project.run(old, 'node_modules/.bin/wherry', 'up'), ({ code, stderr }) => {
        assert.equal(code, 1);
        assert.match(stderr, /^wherry: needs Node\.js 24 or newer, and this is 22\.[^\n]*\n$/);
        return true;
      });
    });
  });
}
