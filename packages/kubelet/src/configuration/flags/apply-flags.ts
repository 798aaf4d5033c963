import { applyMergePatch, type JsonValue } from '@wherry/kubeapi';
import { ConfigurationError } from '../configuration-error.ts';
import { type FlagField, fieldOfFlag } from './flag-fields.ts';
import { FlagValueError, flagValue } from './flag-values.ts';

/** Values of flags by name, without the dashes, each as often as it was given. */
export type FlagTexts = Readonly<Record<string, readonly string[]>>;

/**
 * A document of a configuration with what flags say instead of it: a field as a whole, but for feature gates, which a flag
 * names those of that it changes (cmd/kubelet/app: kubeletConfigFlagPrecedence). Throws {@link ConfigurationError} that names
 * every bad flag.
 */
export function withFlags(document: JsonValue, flags: FlagTexts): JsonValue {
  const problems: string[] = [];
  let result = document;
  for (const [flag, texts] of Object.entries(flags)) {
    const field = fieldOfFlag(flag);
    if (field === undefined) {
      problems.push(`--${flag}: the configuration has no field for it`);
      continue;
    }
    try {
      result = withField(result, field, readFlag(field, texts));
    } catch (error) {
      if (!(error instanceof FlagValueError)) throw error;
      problems.push(`--${flag}: ${error.message}`);
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems, "the kubelet's command line");
  return result;
}

const numbers: readonly string[] = ['Int32', 'Int64', 'Duration'];

/** Zero in a document is the default in most fields: a flag can't mean it there. */
function readFlag({ type, valueType }: FlagField, texts: readonly string[]): JsonValue {
  const value = flagValue(valueType, texts);
  const text = texts.at(-1) ?? '';
  const isZero = numbers.includes(valueType) && /^[+-]?0+(\.0*)?[a-zµ]*$/.test(text);
  if (isZero && !type.keepsZero && type.initial !== 0)
    throw new FlagValueError(text, 'other than zero, which stands for the default in a configuration');
  return value;
}

function withField(document: JsonValue, { path }: FlagField, value: JsonValue): JsonValue {
  const patch = (inner: JsonValue) =>
    path.reduceRight<JsonValue>((below, name) => ({ [name]: below }), inner);
  const isMerged = path[0] === 'featureGates';
  return applyMergePatch(isMerged ? document : applyMergePatch(document, patch(null)), patch(value));
}
