/** Selectors of metrics, in the two texts that they come in. */
import { type LabelSelector, labelValueFormat, matcherFrom, qualifiedName } from '@wherry/kubeapi/objects';

/** As a query's parameter; empty where all are meant. Throws on what selects nothing that could be. */
export function metricSelectorText(selector: LabelSelector | undefined): string {
  if (!selector) return '';
  const { requirements } = matcherFrom(selector);
  for (const { key, operator, values } of requirements) {
    const complaints = [...qualifiedName(key), ...values.flatMap((value) => labelValueFormat(value))];
    const takesValues = operator === 'In' || operator === 'NotIn';
    if (takesValues !== values.length > 0)
      complaints.push(`values of ${operator} must ${takesValues ? 'not ' : ''}be empty`);
    if (complaints.length > 0) throw new Error(`key ${JSON.stringify(key)}: ${complaints.join('; ')}`);
  }
  return matcherFrom(selector).toString();
}
