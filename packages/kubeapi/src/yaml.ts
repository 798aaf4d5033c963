/** YAML bodies, read as Go's library reads them: YAML 1.1 without times, base-60 numbers and binary data. */
import { type Document, isMap, isScalar, LineCounter, parseDocument, type Tags, visit } from 'yaml';
import { JsonSyntaxError } from './json-scan.ts';
import type { JsonValue } from './json-value.ts';
import { fieldComplaintsMax, nestingDepthMax, yamlAliasesMax } from './limits.ts';

/** Tags that Go's library does not apply to plain texts: `22:22` and `2024-01-01` stay texts. */
const unusedTags = new Set(['timestamp', 'intTime', 'floatTime', 'binary', 'omap', 'pairs', 'set']);
const isUsed = (tag: Tags[number]) => !unusedTags.has(typeof tag === 'string' ? tag : nameOf(tag.tag));
const nameOf = (tag: string) => tag.slice(tag.lastIndexOf(':') + 1);
const isTimeNumber = (tag: Tags[number]) => typeof tag === 'object' && tag.format === 'TIME';

/** Reads one document. `duplicates` are sentences in Go's words. Throws JsonSyntaxError. */
export function parseYaml(body: Uint8Array): { value: JsonValue; duplicates: string[] } {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const lineCounter = new LineCounter();
  try {
    const document = parseDocument(text, {
      version: '1.1',
      schema: 'yaml-1.1',
      customTags: (tags) => tags.filter((tag) => isUsed(tag) && !isTimeNumber(tag)),
      uniqueKeys: false,
      logLevel: 'silent',
      lineCounter,
    });
    const [error] = document.errors;
    if (error) throw new JsonSyntaxError(`yaml: ${error.message.split('\n')[0]}`);
    const value = asJson(document.toJS({ maxAliasCount: yamlAliasesMax }), 0);
    return { value, duplicates: findDuplicates(document, lineCounter) };
  } catch (error) {
    // The library answers with plain errors to exploding aliases and with a RangeError to deep nesting.
    if (error instanceof JsonSyntaxError) throw error;
    const why = error instanceof RangeError ? 'exceeded max depth' : String(error);
    throw new JsonSyntaxError(`yaml: ${why}`, { cause: error });
  }
}

/** YAML knows more than JSON: numbers as keys become texts, infinities become texts, anything else is refused. */
function asJson(value: unknown, depth: number): JsonValue {
  if (depth > nestingDepthMax) throw new JsonSyntaxError('exceeded max depth');
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map((item) => asJson(item, depth + 1));
  if (typeof value !== 'object') throw new JsonSyntaxError(`yaml: ${typeof value} has no JSON form`);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asJson(item, depth + 1)]));
}

function findDuplicates(document: Document, lineCounter: LineCounter): string[] {
  const complaints: string[] = [];
  visit(document, (_, node) => {
    if (!isMap(node)) return;
    const seen = new Set<unknown>();
    for (const { key } of node.items) {
      if (!isScalar(key)) continue;
      const isRepeated = seen.has(key.value) && complaints.length < fieldComplaintsMax;
      seen.add(key.value);
      if (!isRepeated) continue;
      const { line } = lineCounter.linePos(key.range?.[0] ?? 0);
      complaints.push(`line ${line}: key ${JSON.stringify(key.value)} already set in map`);
    }
  });
  return complaints;
}
