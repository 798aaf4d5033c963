/** Reads the flags out of the Go source of the kubelet's options: `fs.Int32Var(&c.MaxPods, "max-pods", …`. */

const flagPattern =
  /fs\.(\w*?)Var\((?:&?\w+\.(?:New)?(\w+)[({])?(?:\(\*string\)\()?(?:Val: |Value: )?&([\w.]+)[)}]*, "([\w-]+)"/g;

/** By flag: the Go field that it sets and the type of its value, such as `c.MaxPods Int32`. */
export function configurationFlags(source: string): Record<string, string> {
  const found = [...source.matchAll(flagPattern)].map(
    ([, type = '', wrapper = '', field = '', name = '']) => [name, `${field} ${type || wrapper}`] as const,
  );
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}
