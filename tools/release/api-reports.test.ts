import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { packageApis } from './api-reports.ts';

const root = join(import.meta.dirname, '../..');
const apis = packageApis(root);

it('the public types of each package are those that its api.txt shows', () => {
  const committed = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const stale = apis.filter(({ file, text }) => committed(join(root, file)) !== text).map(({ file }) => file);
  assert.deepEqual(
    stale,
    [],
    'public types have changed: run "npm run api", look at the difference, commit it',
  );
});

/** Packages that programs of others are written with. */
const libraries = [
  'bytes',
  'client',
  'clock',
  'cri',
  'portforward',
  'remotecommand',
  'spdy',
  'telemetry',
  'testing',
  'upgrade',
];

it('what options of the libraries may leave out may be undefined, too: exactOptionalPropertyTypes tells them apart', () => {
  for (const library of libraries) {
    const { text } = apis.find(({ file }) => file === `packages/${library}/api.txt`)!;
    for (const [options = ''] of text.matchAll(/^(?:export )?interface \w*Options\b.*?^\}/gms)) {
      const optional = options.split('\n').filter((line) => /^ {4}\w+\?: [^{]*;$/.test(line));
      assert.deepEqual(
        optional.filter((line) => !/\b(undefined|unknown);$/.test(line)),
        [],
        options.split('\n')[0],
      );
    }
  }
});

it('what an exported type stands on is shown too; comments and private parts are not', () => {
  const textOf = (name: string) => apis.find(({ file }) => file === `packages/${name}/api.txt`)?.text ?? '';
  assert.match(textOf('bytes'), /^== @wherry\/bytes\/suite$/m);
  assert.match(textOf('bytes'), /^interface ByteSink extends Closable \{$/m);
  assert.match(textOf('spdy'), /^== behind these\n\n.*^interface /ms);
  for (const { text } of apis) assert.doesNotMatch(text, /\/\*\*|^ {4}private [^;]*:/m);
});
