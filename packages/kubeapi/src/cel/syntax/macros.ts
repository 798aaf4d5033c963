/** Macros written out as loops, as cel-go does it, so that costs come out the same. */
import { accumulator, type Call, type Expression, sortedVariable, unusedVariable } from './ast.ts';
import type { TreeBuilder } from './builder.ts';

type Expand = (builder: TreeBuilder, call: Call & { at: number }) => Expression | undefined;

/** All macros: their names with how many arguments they take, and whether they are methods. */
export const macroKeys = (): string[] => [
  'has:1:false',
  ...[...methods.keys()].map((key) => `${key.replace('/', ':')}:true`),
];

/** Which macros there are beside those that all expressions have. */
export interface MacroOptions {
  /** `cel.bind`. */
  hasBindings?: boolean | undefined;
}

/** Undefined: the call is none of a macro. */
export function expandMacro(
  builder: TreeBuilder,
  call: Call & { at: number },
  { hasBindings = false }: MacroOptions,
): Expression | undefined {
  if (hasBindings && isBind(call)) return bind(builder, call);
  if (!call.target) return call.name === 'has' && call.args.length === 1 ? has(builder, call) : undefined;
  return methods.get(`${call.name}/${call.args.length}`)?.(builder, call);
}

function has(builder: TreeBuilder, { at, args }: Call & { at: number }): Expression {
  const [arg] = args;
  if (arg?.kind !== 'select') return builder.fail(arg?.at ?? at, 'invalid argument to has() macro');
  const { operand, field } = arg;
  return builder.make(at, { kind: 'select', operand, field, isTest: true });
}

/** How a loop comes to its result. */
interface Plan {
  initial: Expression;
  condition: Expression;
  step: Expression;
  result?: Expression;
}

/** A loop over one variable, or two. */
function loop(
  variables: 1 | 2,
  plan: (builder: TreeBuilder, at: number, args: readonly Expression[]) => Plan,
): Expand {
  return (builder, { at, target, args }) => {
    const names = args.slice(0, variables).map((arg) => variableName(builder, arg));
    if (variables === 2 && names[0] === names[1])
      builder.fail(args[1]!.at, `duplicate variable name: ${names[0]}`);
    const { initial, condition, step, result = accu(builder, at) } = plan(builder, at, args.slice(variables));
    return builder.make(at, {
      ...{ kind: 'comprehension', range: target!, variable: names[0]!, variable2: names[1] },
      ...{ accumulator, initial, condition, step, result },
    });
  };
}

function variableName(builder: TreeBuilder, arg: Expression): string {
  if (arg.kind !== 'ident') return builder.fail(arg.at, 'argument must be a simple name');
  return arg.name;
}

const literal = (builder: TreeBuilder, at: number, value: boolean | bigint) =>
  builder.make(at, { kind: 'literal', value });
const accu = (builder: TreeBuilder, at: number) => builder.ident(at, accumulator);

const all = (builder: TreeBuilder, at: number, [predicate]: readonly Expression[]): Plan => ({
  initial: literal(builder, at, true),
  condition: builder.call(at, '@not_strictly_false', [accu(builder, at)]),
  step: builder.call(at, '_&&_', [accu(builder, at), predicate!]),
});

const exists = (builder: TreeBuilder, at: number, [predicate]: readonly Expression[]): Plan => ({
  initial: literal(builder, at, false),
  condition: builder.call(at, '@not_strictly_false', [builder.call(at, '!_', [accu(builder, at)])]),
  step: builder.call(at, '_||_', [accu(builder, at), predicate!]),
});

const existsOne = (builder: TreeBuilder, at: number, [predicate]: readonly Expression[]): Plan => ({
  initial: literal(builder, at, 0n),
  condition: literal(builder, at, true),
  step: builder.call(at, '_?_:_', [
    predicate!,
    builder.call(at, '_+_', [accu(builder, at), literal(builder, at, 1n)]),
    accu(builder, at),
  ]),
  result: builder.call(at, '_==_', [accu(builder, at), literal(builder, at, 1n)]),
});

/** With a filter before it, or without. */
const gather = (builder: TreeBuilder, at: number, filter: Expression | undefined, item: Expression): Plan => {
  const step = builder.call(at, '_+_', [accu(builder, at), builder.list(at, [item])]);
  return {
    initial: builder.list(at),
    condition: literal(builder, at, true),
    step: filter ? builder.call(at, '_?_:_', [filter, step, accu(builder, at)]) : step,
  };
};

const filtered = (builder: TreeBuilder, at: number, args: readonly Expression[]): Plan =>
  gather(builder, at, args.length > 1 ? args[0] : undefined, args.at(-1)!);

const filter: Expand = (builder, call) => {
  const name = variableName(builder, call.args[0]!);
  const plan = loop(1, (_builder, at, [predicate]) =>
    gather(builder, at, predicate, builder.ident(at, name)),
  );
  return plan(builder, call);
};

const insert = (isEntry: boolean): Expand => {
  return (builder, call) => {
    const key = variableName(builder, call.args[0]!);
    const plan = loop(2, (_builder, at, args) => {
      const value = args.at(-1)!;
      const inserted = isEntry ? [value] : [builder.ident(at, key), value];
      const step = builder.call(at, 'cel.@mapInsert', [accu(builder, at), ...inserted]);
      return {
        initial: builder.map(at),
        condition: literal(builder, at, true),
        step: args.length > 1 ? builder.call(at, '_?_:_', [args[0]!, step, accu(builder, at)]) : step,
      };
    });
    return plan(builder, call);
  };
};

const isBind = ({ name, target, args }: Call): boolean =>
  target?.kind === 'ident' && target.name === 'cel' && name === 'bind' && args.length === 3;

/** `cel.bind(v, x, e)`: what `e` makes of `x`, which is worked out once. */
function bind(builder: TreeBuilder, { at, args }: Call & { at: number }): Expression {
  const [variable, value, result] = args as [Expression, Expression, Expression];
  if (variable.kind !== 'ident')
    return builder.fail(variable.at, 'cel.bind() variable names must be simple identifiers');
  return bindingOf(builder, at, { name: variable.name, value, result });
}

/** A loop over nothing, whose first value is the result's variable. */
function bindingOf(
  builder: TreeBuilder,
  at: number,
  { name, value, result }: { name: string; value: Expression; result: Expression },
): Expression {
  return builder.make(at, {
    kind: 'comprehension',
    range: builder.list(at),
    ...{ variable: unusedVariable, variable2: undefined, accumulator: name },
    ...{ initial: value, condition: literal(builder, at, false), step: builder.ident(at, name), result },
  });
}

/** `x.optMap(v, e)`: what `e` makes of the value, where there is one. */
const optional = (isFlat: boolean): Expand => {
  return (builder, { at, target, args }) => {
    const [variable, expression] = args as [Expression, Expression];
    const name = variableName(builder, variable);
    const value = builder.call(at, 'value', [], target);
    const bound = bindingOf(builder, at, { name, value, result: expression });
    return builder.call(at, '_?_:_', [
      builder.call(at, 'hasValue', [], target),
      isFlat ? bound : builder.call(at, 'optional.of', [bound]),
      builder.call(at, 'optional.none', []),
    ]);
  };
};

/** `x.sortBy(v, key)`: the target is read once, for its items and for their keys. */
const sortBy: Expand = (builder, { at, target, args }) => {
  if (target && ['literal', 'map', 'struct'].includes(target.kind))
    builder.fail(
      target.at,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    );
  const input = () => builder.ident(at, sortedVariable);
  const keys = loop(1, filtered)(builder, { kind: 'call', name: 'map', at, target: input(), args });
  return builder.make(at, {
    kind: 'comprehension',
    range: builder.list(at),
    ...{ variable: unusedVariable, variable2: undefined, accumulator: sortedVariable },
    initial: target!,
    condition: literal(builder, at, false),
    step: input(),
    result: builder.call(at, '@sortByAssociatedKeys', [keys!], input()),
  });
};

const methods: ReadonlyMap<string, Expand> = new Map<string, Expand>([
  ['all/2', loop(1, all)],
  ['all/3', loop(2, all)],
  ['exists/2', loop(1, exists)],
  ['exists/3', loop(2, exists)],
  ['exists_one/2', loop(1, existsOne)],
  ['exists_one/3', loop(2, existsOne)],
  ['existsOne/3', loop(2, existsOne)],
  ['map/2', loop(1, filtered)],
  ['map/3', loop(1, filtered)],
  ['filter/2', filter],
  ['transformList/3', loop(2, filtered)],
  ['transformList/4', loop(2, filtered)],
  ['transformMap/3', insert(false)],
  ['transformMap/4', insert(false)],
  ['transformMapEntry/3', insert(true)],
  ['transformMapEntry/4', insert(true)],
  ['sortBy/2', sortBy],
  ['optMap/2', optional(false)],
  ['optFlatMap/2', optional(true)],
]);
