import { field, type Lines } from '../text/lines.ts';

/** What one label has to be. */
export interface TermExpression {
  key: string;
  operator: string;
  values?: readonly string[] | undefined;
}

/** Terms of which one must hold, each with its number; further expressions below the first. */
export function termLines(terms: readonly (readonly TermExpression[])[], levels: number): Lines {
  const margin = '  '.repeat(levels);
  return terms.flatMap((expressions, index) => {
    const [first = '<none>', ...more] = expressions.map(expressionText);
    return [field(`${margin}Term ${index}`, first), ...more.map((text) => `${margin}\t${text}`)];
  });
}

const expressionText = ({ key, operator, values }: TermExpression): string =>
  `${key} ${operator}${values?.length ? ` [${values.join(', ')}]` : ''}`;
