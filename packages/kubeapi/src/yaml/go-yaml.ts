import type { ScalarTag, Tags } from 'yaml';
import { exactWhole } from '../json/exact-json.ts';

/** Tags that Go's library does not apply to plain texts: `22:22` and `2024-01-01` stay texts. */
const unusedTags: ReadonlySet<string> = new Set([
  ...['timestamp', 'intTime', 'floatTime', 'binary', 'omap', 'pairs', 'set'],
]);
const isUsed = (tag: Tags[number]) =>
  typeof tag === 'string'
    ? !unusedTags.has(tag)
    : !unusedTags.has(tag.tag.slice(tag.tag.lastIndexOf(':') + 1)) && tag.format !== 'TIME';

/** `0o644`, which Go reads besides `0644`. */
const octal: ScalarTag = {
  ...{ tag: 'tag:yaml.org,2002:int', default: true, format: 'OCT' },
  identify: () => false,
  test: /^[-+]?0o[0-7_]+$/,
  resolve: (text) => {
    const size = Number(text.replace(/^[-+]/, '').replaceAll('_', ''));
    return text.startsWith('-') ? -size : size;
  },
};

/** `.` and `e2` are texts: the library takes them for numbers that have no digits. */
function withDigits(tag: Tags[number]): Tags[number] {
  if (typeof tag === 'string' || !('test' in tag) || !tag.test) return tag;
  const isNumber = tag.tag === 'tag:yaml.org,2002:float' && !tag.test.test('.inf');
  return isNumber ? { ...tag, test: new RegExp(`(?=^[-+]?\\.?[0-9])(?:${tag.test.source})`) } : tag;
}

/** Whole numbers keep their digits, as they do in JSON. */
function withAllDigits(tag: Tags[number]): Tags[number] {
  if (typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:int' || !tag.resolve) return tag;
  const { resolve } = tag as ScalarTag;
  return {
    ...tag,
    resolve: (text: string, onError: (message: string) => void, options: object) => {
      const value = resolve(text, onError, options);
      if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
      return exactWhole(resolve(text, onError, { ...options, intAsBigInt: true }) as bigint);
    },
  } as ScalarTag;
}

/** Options of the package `yaml` that make it read as Go's library does: YAML 1.1 without times, base-60 numbers and binary data. */
export const goYaml = {
  version: '1.1',
  schema: 'yaml-1.1',
  customTags: (tags: Tags): Tags => [octal, ...tags.filter(isUsed).map(withDigits).map(withAllDigits)],
} as const;
