import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changelogOf } from './changelog.ts';
import { needsTypesOfNode } from './compile.ts';
import { packedManifest } from './packed-manifest.ts';
import { oversized } from './tarballs.ts';
import { type Manifest, type Member, membersFor, membersOn } from './workspace.ts';

const workspace = {
  devDependencies: { '@types/ws': '^8.0.0', '@types/node': '^24.0.0' },
};

function member(name: string, fields: Partial<Manifest> = {}): Member {
  const manifest: Manifest = {
    name: `@boats/${name}`,
    version: '0.1.2',
    description: 'A boat.',
    keywords: ['boat'],
    license: 'Apache-2.0',
    engines: { node: '>=22' },
    exports: { '.': './src/index.ts' },
    ...fields,
  };
  return { folder: `packages/${name}`, manifest };
}

const url = 'git+https://example.com/boats.git';
const packed = (
  one: Member,
  { members = [one], typesFrom = [] as string[], repository = undefined as string | undefined } = {},
) => packedManifest(one, { workspace, repository, members, typesFrom: new Set(typesFrom), bundled: {} });

describe('the package.json of a tarball', () => {
  it('leads to compiled code and its types where the committed one leads to TypeScript', () => {
    const exports = { '.': './src/index.ts', './data': './data.json', './x': { browser: './src/a/b.ts' } };
    const imports = { '#main': './src/main.ts' };
    const found = packed(member('hull', { exports, imports, packedKibibytesMax: 9 }));
    assert.deepEqual(found.exports, {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './data': './data.json',
      './x': { browser: { types: './dist/a/b.d.ts', default: './dist/a/b.js' } },
      './package.json': './package.json',
    });
    assert.deepEqual(found.imports, { '#main': { types: './dist/main.d.ts', default: './dist/main.js' } });
    assert.ok(!('packedKibibytesMax' in found));
  });

  it('names the repository that the release is told, and none by itself', () => {
    const { repository } = packed(member('hull'), { repository: url });
    assert.deepEqual(repository, { type: 'git', url, directory: 'packages/hull' });
    assert.ok(!('repository' in packed(member('hull'))));
  });

  it('asks for the types that its declarations name, of Node in any newer version', () => {
    const { dependencies } = packed(member('hull'), { typesFrom: ['ws', 'node', 'yaml'] });
    assert.deepEqual(dependencies, { '@types/node': '>=22', '@types/ws': '^8.0.0' });
    assert.ok(needsTypesOfNode("import type { Server } from 'node:http';"));
    assert.ok(needsTypesOfNode('export declare class A implements AsyncDisposable {}'));
    assert.ok(!needsTypesOfNode('export declare function abort(signal: AbortSignal): void;'));
  });

  it('is not made with a range that a patch of a neighbour, or this one, falls out of', () => {
    const hull = member('hull');
    const withRange = (range: string) => member('sail', { dependencies: { '@boats/hull': range } });
    for (const range of ['^0.1.0', '^0.1.2']) packed(withRange(range), { members: [hull] });
    for (const range of ['0.1.2', '^0.1.3', '^0.2.0', '^1.1.2', '>=0.1.0'])
      assert.throws(() => packed(withRange(range), { members: [hull] }), /write "\^0\.1\.2"/);
  });

  it('is not made of one that leaves out what users look for', () => {
    const { keywords: _, ...manifest } = member('hull').manifest;
    assert.throws(() => packed({ folder: 'packages/hull', manifest }), /"keywords" is missing/);
  });
});

it('a package comes with those that it needs, and no others', () => {
  const members = [
    member('hull'),
    member('rope'),
    member('mast', { dependencies: { '@boats/hull': '^0.1.0' } }),
    member('sail', { dependencies: { '@boats/mast': '^0.1.0' } }),
  ];
  const names = membersFor(members, '@boats/sail').map(({ folder }) => folder);
  assert.deepEqual(names, ['packages/hull', 'packages/mast', 'packages/sail']);
});

it('a package runs where all that it needs does', () => {
  const members = [
    member('rope'),
    member('hull', { engines: { node: '>=24' } }),
    member('sail', { dependencies: { '@boats/hull': '^0.1.0' } }),
  ];
  const on = (major: number) => membersOn(members, major).map(({ folder }) => folder);
  assert.deepEqual(on(22), ['packages/rope']);
  assert.deepEqual(on(24), ['packages/rope', 'packages/hull', 'packages/sail']);
});

it('a tarball may be as large as its package.json says, or 64 KiB', () => {
  const tarball = (name: string, kibibytes: number, packedKibibytesMax?: number) => ({
    ...member(name, packedKibibytesMax ? { packedKibibytesMax } : {}),
    file: '',
    sizeBytes: kibibytes * 1024,
    unpackedBytes: 0,
    digest: { sha256: '', sha512: '' },
  });
  const complaints = oversized([
    tarball('a', 64),
    tarball('b', 65),
    tarball('c', 65, 70),
    tarball('d', 9, 8),
  ]);
  assert.deepEqual(
    complaints.map((complaint) => complaint.split(';')[0]),
    ['@boats/b: 65 KiB packed, 64 allowed', '@boats/d: 9 KiB packed, 8 allowed'],
  );
});

it('the changelog of a release is the section of its version', () => {
  const changelog =
    '# Changelog\n\n## 0.2.0 (unreleased)\n\n* New.\n\n### Safety\n\n* Safe.\n\n## 0.1.0\n\n* Old.\n';
  assert.equal(changelogOf('0.2.0', changelog), '* New.\n\n### Safety\n\n* Safe.\n');
  assert.equal(changelogOf('0.1.0', changelog), '* Old.\n');
  assert.throws(() => changelogOf('0.1', changelog), /no section/);
});
