import type { Expression } from '../syntax/ast.ts';
import { parseExpression } from '../syntax/parser.ts';

/** Whether an expression reads `VARIABLE.FIELD` or `VARIABLE.?FIELD`, as upstream looks for it; other ways are not seen. */
export function selectsField(text: string, variable: string, field: string): boolean {
  const isVariable = (part: Expression | undefined) => part?.kind === 'ident' && part.name === variable;
  const found = (part: Expression | undefined): boolean => {
    switch (part?.kind) {
      case 'select':
        return (isVariable(part.operand) && part.field === field) || found(part.operand);
      case 'call': {
        const [owner, name] = part.args;
        const isField = name?.kind === 'literal' && name.value === field;
        return (
          (part.name === '_?._' && isVariable(owner) && isField) || [...part.args, part.target].some(found)
        );
      }
      case 'list':
        return part.items.some(found);
      case 'map':
        return part.entries.some(({ key, value }) => found(key) || found(value));
      case 'struct':
        return part.fields.some(({ value }) => found(value));
      case 'comprehension':
        return [part.range, part.initial, part.condition, part.step, part.result].some(found);
      default:
        return false;
    }
  };
  return found(parseExpression(text, {}));
}
