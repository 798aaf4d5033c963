import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { abortListeners, usesAbortHelpers } from './abort-listeners.ts';
import { endsOfTexts } from './ends-of-texts.ts';
import { entryPaths } from './entry-paths.ts';
import { givenTime } from './given-time.ts';
import { moduleEffects } from './module-effects.ts';
import { ownKeys } from './own-keys.ts';
import { pairedItems } from './paired-items.ts';
import { shownValues } from './shown-values.ts';
import { type Rule, Sources } from './source.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-rules-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(
  join(folder, 'tsconfig.json'),
  JSON.stringify({ compilerOptions: { strict: true, noEmit: true, target: 'es2024' }, include: ['*.ts'] }),
);

/** Lines of `text` that break the rule. */
function linesThatBreak(rule: Rule, text: string): number[] {
  writeFileSync(join(folder, 'case.ts'), `export {};\n${text}`);
  const sources = new Sources(folder);
  try {
    return sources.check(rule, () => true).map(({ line }) => line - 1);
  } finally {
    sources.close();
  }
}

describe('the rule of own keys', () => {
  const given = `declare const name: string; declare const table: Record<string, number>;
    declare const list: number[]; declare const kind: 'a' | 'b';\n`;
  const breaks = (line: string) => linesThatBreak(ownKeys, given + line).length > 0;

  it('finds a text that is not known beforehand, read, written, cast, or before "in"', () => {
    for (const line of [
      'table[name];',
      'table[name] = 1;',
      'table[`a$' + '{name}`];',
      'table?.[name.toLowerCase()];',
      "(table as { a: number })[name as 'a'];",
      'name in table;',
      'declare const anything: any; table[anything];',
      'function read<K extends string>(key: K) { return table[key]; }',
      'if (Object.hasOwn(table, kind)) table[name];',
    ]) {
      assert.ok(breaks(line), line);
    }
  });

  it('lets keys through that are known, or looked for among own ones', () => {
    for (const line of [
      'table[kind];',
      "table['fixed'];",
      'list[0]; for (let at = 0; at < list.length; at++) list[at];',
      'delete table[name];',
      'const found = () => (Object.hasOwn(table, name) ? table[name] : undefined);',
      "const set = () => { if (name !== '__proto__') table[name] = 1; };",
      "'a' in table;",
    ]) {
      assert.ok(!breaks(line), line);
    }
  });

  it('tells the line', () => {
    assert.deepEqual(linesThatBreak(ownKeys, 'declare const t: Record<string, 1>;\n\nt[String(1)];'), [3]);
  });
});

describe('the rule of values that are shown', () => {
  const given = `declare const value: unknown; declare const text: string; declare const size: number | bigint;
    type Json = string | number | null | Json[] | { [key: string]: Json }; declare const json: Json;
    declare const anything: any; declare const empty: {}; declare const url: URL;\n`;
  const breaks = (line: string) => linesThatBreak(shownValues, given + line).length > 0;

  it('finds what may be an object of any keys where a text or a number is made of it', () => {
    for (const line of [
      'String(value);',
      'Number(json);',
      'BigInt(anything);',
      '`a $' + '{value}`;',
      '`a $' + '{json}`;',
      'String(empty);',
      "if (typeof value !== 'object') String(value);",
      'function show<T>(each: T) { return String(each); }',
    ]) {
      assert.ok(breaks(line), line);
    }
  });

  it('lets texts and numbers through, objects that are known, and what was thrown', () => {
    for (const line of [
      'String(size);',
      '`a $' + '{text}$' + '{size}`;',
      "if (typeof value === 'string') String(value);",
      'String(url);',
      'try { text; } catch (error) { String(error); }',
      'JSON.stringify(value);',
    ]) {
      assert.ok(!breaks(line), line);
    }
  });
});

describe('the rule of paths in folders that others fill', () => {
  const given = `type EntryPath = string & { readonly mark: unique symbol };
    declare function openSync(path: string | number, flags: string): number;
    declare function linkSync(from: string, to: string): void;
    declare const root: string; declare const name: string;
    declare const folder: { entry(name: string): EntryPath };\n`;
  const breaks = (line: string) => linesThatBreak(entryPaths, given + line).length > 0;

  it('finds a path that is joined, cast or passed on as a text', () => {
    for (const line of [
      "openSync(root + '/' + name, 'r');",
      'openSync(`$' + "{folder.entry(name)}/more`, 'r');",
      "const path: string = folder.entry(name); openSync(path, 'r');",
      'linkSync(folder.entry(name), root);',
    ])
      assert.ok(breaks(line), line);
  });

  it('lets paths through that begin at a descriptor', () => {
    for (const line of [
      "openSync(folder.entry(name), 'r');",
      "const path = folder.entry(name); openSync(path, 'r');",
      'linkSync(folder.entry(name), folder.entry(root));',
      "openSync(7, 'r');",
    ])
      assert.ok(!breaks(line), line);
  });
});

describe('the rule of given time', () => {
  const breaks = (line: string) => linesThatBreak(givenTime, line).length > 0;

  it('finds the machine’s time and its timers, also by another name', () => {
    for (const line of [
      'Date.now();',
      'const now = performance.now;',
      'new Date();',
      'setTimeout(() => {}, 5);',
      'AbortSignal.timeout(5);',
      "import { setTimeout as delay } from 'node:timers/promises';",
    ])
      assert.ok(breaks(line), line);
  });

  it('lets moments pass that were told, and turns of the event loop', () => {
    for (const line of [
      'new Date(5);',
      'declare const socket: { setTimeout(ms: number): void }; socket.setTimeout(0);',
      'setImmediate(() => {});',
      "import { setImmediate as turn } from 'node:timers/promises';",
    ])
      assert.ok(!breaks(line), line);
  });
});

describe('the rule of abort listeners', () => {
  const given = 'declare const signal: AbortSignal | undefined; declare const socket: EventTarget;\n';
  const breaks = (line: string) => linesThatBreak(abortListeners, given + line).length > 0;

  it('finds listeners by hand, and leaves other events and other calls alone', () => {
    for (const line of [
      "signal!.addEventListener('abort', () => {});",
      "signal?.addEventListener('abort', () => {}, { once: true });",
    ]) {
      assert.ok(breaks(line), line);
    }
    for (const line of [
      "socket.addEventListener('close', () => {});",
      "signal?.removeEventListener('abort', () => {});",
      'signal?.throwIfAborted();',
    ]) {
      assert.ok(!breaks(line), line);
    }
  });

  it('holds shipped files to it, but for the helpers themselves', () => {
    assert.ok(usesAbortHelpers('packages/spdy/src/session/creations.ts'));
    assert.ok(!usesAbortHelpers('packages/bytes/src/abort.ts'));
    assert.ok(!usesAbortHelpers('packages/bytes/src/abort.test.ts'));
    assert.ok(!usesAbortHelpers('packages/remotecommand/test/run-process.ts'));
  });
});

describe('the rule of modules without effects', () => {
  it('finds one that is imported for what it does, and a package that does not say it has none', () => {
    const home = join(folder, 'packages/part');
    mkdirSync(join(home, 'src'), { recursive: true });
    const manifest = (text: string) => writeFileSync(join(home, 'package.json'), text);
    const program = (text: string) => writeFileSync(join(home, 'src/program.ts'), text);
    manifest('{"sideEffects":false}');
    program("import 'reflect-metadata';\nimport { a } from './a.ts';\na();\n");
    assert.deepEqual(moduleEffects(folder), []);
    for (const module of ['./a.ts', '@wherry/part']) {
      program(`export {};\nimport '${module}';\n`);
      assert.match(
        moduleEffects(folder).join(),
        /^packages\/part\/src\/program\.ts: imports a module for what/,
      );
    }
    program('');
    manifest('{}');
    assert.deepEqual(moduleEffects(folder), ['packages/part/package.json: "sideEffects" has to be false']);
  });
});

describe('the rule of paired items', () => {
  const given = 'declare const list: string[]; declare const index: number; declare const item: string;\n';
  const breaks = (line: string) => linesThatBreak(pairedItems, given + line).length > 0;

  it('finds a search for an item’s first place among all, for each of them', () => {
    for (const line of ['list.indexOf(item) < index;', 'list.findIndex((each) => each === item) !== index;'])
      assert.ok(breaks(line), line);
  });

  it('lets other searches and comparisons through', () => {
    for (const line of ['list.indexOf(item) < 0;', 'list.indexOf(item) !== -1;', 'list.length < index;'])
      assert.ok(!breaks(line), line);
  });
});

describe('the rule of ends of texts', () => {
  const breaks = (pattern: string) =>
    linesThatBreak(endsOfTexts, `export const found = (text: string) => ${pattern}.test(text);`).length > 0;

  it('finds a pattern of one sign, or one of several, any number of times at the end', () => {
    for (const pattern of ['/0+$/', '/[-.]+$/', '/\\s*$/', '/\\/+$/u', '/.+$/s'])
      assert.ok(breaks(pattern), pattern);
  });

  it('lets patterns through that have a beginning, or no end', () => {
    for (const pattern of ['/^0+$/', '/:\\d*$/', '/0+/', '/(?<!0)0+$/', '/0$/', '/[^/]$/'])
      assert.ok(!breaks(pattern), pattern);
  });
});
