/** `$(NAME)` in texts, as Kubernetes has it: `$$` stands for a dollar (kustomize api/filters/refvar/expand.go). */

/** What a variable may hold. */
export type VariableValue = string | number | bigint | boolean;

/** The text with its variables; a text that is one variable alone becomes its value. Unknown ones stay. */
export function expand(text: string, known: (name: string) => VariableValue | undefined): VariableValue {
  const [, only] = /^\$\(([^)]*)\)$/.exec(text) ?? [];
  const whole = only === undefined ? undefined : known(only);
  if (whole !== undefined) return whole;
  return text.replaceAll(/\$(?:\$|\(([^)]*)\))/g, (all, name: string | undefined) =>
    name === undefined ? '$' : String(known(name) ?? all),
  );
}
