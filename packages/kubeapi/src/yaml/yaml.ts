/** YAML bodies, read as Go's library reads them: YAML 1.1 without times, base-60 numbers and binary data. */

import { Composer, type Document, isCollection, isScalar, Lexer, LineCounter, Parser } from 'yaml';
import { parseExactJson } from '../json/exact-json.ts';
import { findDuplicateKeys, JsonSyntaxError } from '../json/json-scan.ts';
import type { JsonValue } from '../json/json-value.ts';
import { yamlBytesMax, yamlFlowDepthMax, yamlTokensMax } from '../limits.ts';
import { requestEntityTooLarge } from '../status/status-errors.ts';
import { goYaml } from './go-yaml.ts';
import { type Converted, YamlConverter } from './yaml-value.ts';

/**
 * Reads one document. `duplicates` are sentences in Go's words. Throws JsonSyntaxError, and a 413 StatusError for what
 * would cost too much to read: reading YAML takes about a hundred times as long as reading the same in JSON.
 */
export function parseYaml(body: Uint8Array): Converted {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const asJson = readJson(text);
  if (asJson !== undefined) return { value: asJson, duplicates: [] };
  if (controls.test(text)) throw new JsonSyntaxError('yaml: control characters are not allowed');
  if (text.length > yamlBytesMax) throw tooLong(`${yamlBytesMax} bytes`);
  const lines = new LineCounter();
  try {
    const document = firstDocument(text, lines);
    const error = document?.errors.find(({ pos: [at] }) => at < endOf(document));
    if (error) throw new JsonSyntaxError(`yaml: line ${lines.linePos(error.pos[0]).line}: ${error.message}`);
    return new YamlConverter(lines).convert(document?.contents);
  } catch (error) {
    // The library answers with a RangeError to deep nesting.
    if (!(error instanceof RangeError)) throw error;
    throw new JsonSyntaxError('yaml: exceeded max depth', { cause: error });
  }
}

/** Where what follows the end of a document begins that its brackets or quotes tell: it is not looked at, as by Go's library. */
function endOf({ contents, errors }: Document.Parsed): number {
  const isClosed = isCollection(contents) ? contents.flow === true : isQuoted(contents);
  const from = isClosed ? contents!.range![1] : Number.POSITIVE_INFINITY;
  const behind = errors.find(({ message, pos: [at] }) => at >= from && message.endsWith(' at node end'));
  return behind?.pos[0] ?? Number.POSITIVE_INFINITY;
}

const isQuoted = (node: unknown) => isScalar(node) && node.type?.startsWith('QUOTE_') === true;

/** What no YAML may hold (YAML 1.1, 5.1). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

function tooLong(bound: string): Error {
  return requestEntityTooLarge(`a YAML document may have ${bound}; send longer ones as JSON`);
}

/** JSON is YAML, and most of what comes as YAML is JSON: kubectl's server-side apply. Undefined when it is none. */
function readJson(text: string): JsonValue | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: JsonValue = parseExactJson(text);
    return findDuplicateKeys(text).length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Later documents are not looked at, as by Go's library. */
function firstDocument(text: string, lines: LineCounter): Document.Parsed | undefined {
  const composer = new Composer({
    ...goYaml,
    uniqueKeys: false,
    logLevel: 'silent',
    lineCounter: lines,
  });
  for (const document of composer.compose(boundedTokens(text, lines), true, text.length)) {
    return document as Document.Parsed;
  }
  return undefined;
}

/** What the composer reads, token by token, so that an endless document ends where its bound is. */
function* boundedTokens(text: string, lines: LineCounter) {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let count = 0;
  let depth = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > yamlTokensMax) throw tooLong(`${yamlTokensMax} tokens`);
    if (lexeme === '[' || lexeme === '{') depth += 1;
    else if (lexeme === ']' || lexeme === '}') depth -= 1;
    if (depth > yamlFlowDepthMax) throw new JsonSyntaxError('yaml: exceeded max depth');
    yield* parser.next(lexeme);
  }
  yield* parser.end();
}
