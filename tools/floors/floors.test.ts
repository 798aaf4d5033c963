import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { filesMax } from './exceptions.ts';
import { circleComplaints, nodeComplaints, sizeComplaints, timeComplaints } from './folder-rules.ts';
import { folders, layersOf } from './folders.ts';
import { packageComplaints } from './packages.ts';
import { type SourceFile, sourceFiles } from './source-files.ts';

/** Files of the package `bytes`, from what each imports: `{ 'http/tls.ts': './target.ts node:tls' }`. */
function filesOf(imports: Record<string, string>, room = 'bytes'): SourceFile[] {
  const root = mkdtempSync(join(tmpdir(), 'wherry-floors-'));
  try {
    for (const [name, specifiers] of Object.entries(imports)) {
      const path = join(root, 'packages', room, 'src', name);
      mkdirSync(dirname(path), { recursive: true });
      const lines = specifiers.split(' ').filter(Boolean);
      writeFileSync(path, lines.map((specifier) => `import type {\n  X,\n} from '${specifier}';\n`).join(''));
    }
    return sourceFiles(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const bytes = 'packages/bytes/src';
const circles = (imports: Record<string, string>, known = {}) =>
  circleComplaints(folders(filesOf(imports)), known);

describe('circles of imports', () => {
  it('are found between files, between folders and between a folder and a file, where they close', () => {
    assert.deepEqual(circles({ 'a/x.ts': './y.ts', 'a/y.ts': './z.ts', 'a/z.ts': './x.ts' }), [
      `${bytes}/a: imports in a circle: x.ts → y.ts → z.ts → x.ts`,
    ]);
    assert.deepEqual(circles({ 'a/x.ts': '../b/x.ts', 'b/x.ts': '', 'b/y.ts': '../a/y.ts', 'a/y.ts': '' }), [
      `${bytes}: imports in a circle: a → b → a`,
    ]);
    assert.deepEqual(circles({ 'a/x.ts': '../b.ts', 'b.ts': './a/y.ts', 'a/y.ts': '' }), [
      `${bytes}: imports in a circle: a → b.ts → a`,
    ]);
    assert.deepEqual(
      circles({ 'a.ts': './b.ts ./c.ts', 'b.ts': './c.ts', 'c.ts': '', 'a.test.ts': './a.ts' }),
      [],
    );
  });

  it('are let through as far as they are known, and no longer than they are there', () => {
    const imports = { 'a.ts': './b.ts', 'b.ts': './a.ts' };
    assert.deepEqual(circles(imports, { [bytes]: 2 }), []);
    assert.match(circles(imports, { [bytes]: 3 }).join(), /better than the 3 known; write 2 into/);
    assert.match(circles({ 'a.ts': '' }, { [bytes]: 2 }).join(), /better than the 2 known; take it off/);
    assert.match(circles({}, { 'packages/gone/src': 2 }).join(), /packages\/gone\/src: .*take it off/);
  });
});

describe('the layers of a package', () => {
  it('put what is imported below what imports it, and what forms a circle into brackets', () => {
    const imports = {
      'top/x.ts': '../left/x.ts ../loose.ts',
      'loose.ts': './right/x.ts',
      'left/x.ts': '../ground/x.ts',
      'right/x.ts': '../ground/x.ts',
      'ground/x.ts': '',
    };
    const layers = (more = {}) => folders(filesOf({ ...imports, ...more })).map(layersOf);
    assert.equal(layers()[0], 'top > left right > ground');
    assert.equal(
      layers({ 'right/y.ts': '../left/x.ts', 'left/y.ts': '../right/x.ts' })[0],
      'top > (left right) > ground',
    );
  });
});

describe('the size of a folder', () => {
  const names = Array.from({ length: filesMax }, (_, at) => `file-${at}.ts`);
  const sizes = (more: string[], known = {}) =>
    sizeComplaints(
      folders(filesOf(Object.fromEntries([...names, ...more].map((name) => [name, ''])))),
      known,
    );

  it('counts neither tests, nor what is generated, nor other folders', () => {
    assert.deepEqual(sizes(['more.test.ts', 'kinds.generated.ts', 'inner/more.ts']), []);
    assert.match(sizes(['more.ts']).join(), /16 source files are more than 15; part them by subject$/);
  });

  it('may be above the bound with a reason, which goes when it is not needed', () => {
    assert.deepEqual(sizes(['more.ts'], { [bytes]: [16, 'one file for each verb'] }), []);
    assert.match(sizes(['a.ts', 'b.ts'], { [bytes]: [16, 'one file for each verb'] }).join(), /17, 16 known/);
    assert.match(sizes([], { [bytes]: [16, 'one file for each verb'] }).join(), /take it off/);
  });
});

describe('the modules of Node', () => {
  const files = filesOf({ 'core.ts': '', 'ends.ts': 'node:net', 'ends.test.ts': 'node:test' });

  it('are kept out of a core, but for files with a reason', () => {
    assert.match(nodeComplaints(files, [bytes], {}).join(), /^packages\/bytes\/src\/ends\.ts: imports node:/);
    assert.deepEqual(nodeComplaints(files, [bytes], { [`${bytes}/ends.ts`]: 'sockets' }), []);
    assert.match(nodeComplaints(files, [], { [`${bytes}/ends.ts`]: 'sockets' }).join(), /take it off/);
  });
});

describe('time', () => {
  const files = filesOf({
    'core.ts': './ticks.ts',
    'session.ts': '@wherry/clock',
    'x.test.ts': '@wherry/clock',
  });

  it('is handed to a timeless core, not imported', () => {
    assert.match(
      timeComplaints(files, [bytes]).join(),
      /^packages\/bytes\/src\/session\.ts: imports the clock[^,]*$/,
    );
    assert.deepEqual(timeComplaints(files, []), []);
  });
});

describe('the floors of packages', () => {
  it('refuse imports that run sideways or upward, or that no manifest names', () => {
    const root = mkdtempSync(join(tmpdir(), 'wherry-floors-'));
    try {
      mkdirSync(join(root, 'packages/spdy'), { recursive: true });
      const manifest = {
        name: '@wherry/spdy',
        dependencies: { '@wherry/bytes': '1', '@wherry/upgrade': '1' },
      };
      writeFileSync(join(root, 'packages/spdy/package.json'), JSON.stringify(manifest));
      const files = filesOf({ 'x.ts': '@wherry/bytes @wherry/upgrade/deep pako node:fs' }, 'spdy');
      assert.deepEqual(packageComplaints(root, files), [
        'packages/spdy/src/x.ts: spdy (floor 2) imports upgrade (floor 3)',
        'packages/spdy/src/x.ts: imports "pako"; declare it in packages/spdy/package.json',
      ]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
